import type { MailBlock, MailContent } from '../../mail/mail-content.ts';
import { plainLine } from '../../mail/plain-line.ts';
import { greeting, longDate, longTime } from './mail-words.ts';
import { sharedDataLines } from './shared-data.ts';

export interface InvitationWords {
  organization: string;
  name: string | null;
  /** Whether it is about data that the organization collected itself: it has that whatever the person answers. */
  isExisting: boolean;
  expiresAt: string;
  url: string;
}

/** Asks a person whether an organization may read their data. */
export function invitationMail(words: InvitationWords): MailContent {
  const { name, expiresAt, url } = words;
  const asker = plainLine(words.organization);
  const promise = words.isExisting
    ? `${asker} asks for your answer.`
    : 'Nothing is shared unless you accept.';
  return {
    subject: `${asker} invites you to share your health data`,
    preheader: `${promise} You can answer until ${longDate(expiresAt)}.`,
    blocks: [
      { kind: 'heading', text: `${asker} invites you to share your health data` },
      { kind: 'paragraph', text: greeting(name) },
      ...(words.isExisting ? aboutExisting(asker) : aboutNew(asker)),
      { kind: 'button', label: 'Answer the invitation', url },
      { kind: 'note', text: `You can accept or decline until ${longTime(expiresAt)}.` },
      {
        kind: 'note',
        text: 'If you do not know who asks, or do not want to answer, you can ignore this mail. The link is for you alone, so please do not pass it on.',
      },
    ],
  };
}

function aboutNew(asker: string): MailBlock[] {
  return [
    {
      kind: 'paragraph',
      text: `${asker} would like to read what your phone, watch and other devices record. If you accept, it can read:`,
    },
    { kind: 'list', items: sharedDataLines },
    { kind: 'paragraph', text: 'Nothing is shared unless you accept, and you can leave at any time.' },
  ];
}

function aboutExisting(asker: string): MailBlock[] {
  return [
    {
      kind: 'paragraph',
      text: `${asker} already keeps health data about you that it collected itself, and asks whether you agree that it reads this data and what is added:`,
    },
    { kind: 'list', items: sharedDataLines },
    {
      kind: 'paragraph',
      text: `If you accept, you can leave at any time. If you decline or do not answer, ${asker} still has what it collected itself; ask it if you want that erased.`,
    },
  ];
}
