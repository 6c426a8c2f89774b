import type { MailBlock, MailContent } from '../../mail/mail-content.ts';
import { plainLine } from '../../mail/plain-line.ts';
import { greeting, longDate, longTime } from './mail-words.ts';
import { sharedDataLines } from './shared-data.ts';

export interface InvitationWords {
  organization: string;
  name: string | null;
  /** Whether the organization collected the data itself and keeps it whether or not the person accepts. */
  isExisting: boolean;
  expiresAt: string;
  url: string;
}

/** Asks a person whether an organization may read their data. */
export function invitationMail(words: InvitationWords): MailContent {
  const { name, expiresAt, url } = words;
  const asker = plainLine(words.organization);
  const promise = words.isExisting
    ? `${asker} is asking for your reply.`
    : 'Nothing is shared unless you accept.';
  return {
    subject: `${asker} invites you to share your health data`,
    preheader: `${promise} You can reply until ${longDate(expiresAt)}.`,
    blocks: [
      { kind: 'heading', text: `${asker} invites you to share your health data` },
      { kind: 'paragraph', text: greeting(name) },
      ...(words.isExisting ? aboutExisting(asker) : aboutNew(asker)),
      { kind: 'button', label: 'Reply to the invitation', url },
      { kind: 'note', text: `You can accept or decline until ${longTime(expiresAt)}.` },
      {
        kind: 'note',
        text: 'If you do not know who is asking, or do not want to reply, you can ignore this email. The link is only for you, so please do not share it.',
      },
    ],
  };
}

function aboutNew(asker: string): MailBlock[] {
  return [
    {
      kind: 'paragraph',
      text: `${asker} would like to read the data that your phone, watch and other devices record. If you accept, it can read:`,
    },
    { kind: 'list', items: sharedDataLines },
    { kind: 'paragraph', text: 'Nothing is shared unless you accept, and you can stop sharing at any time.' },
  ];
}

function aboutExisting(asker: string): MailBlock[] {
  return [
    {
      kind: 'paragraph',
      text: `${asker} already has health data about you that it collected itself. It is asking whether you agree that it can read this data, and any data added later:`,
    },
    { kind: 'list', items: sharedDataLines },
    {
      kind: 'paragraph',
      text: `If you accept, you can leave at any time. If you decline or do not reply, ${asker} still has the data that it collected itself. If you want that data erased, ask ${asker}.`,
    },
  ];
}
