import type { MailContent } from '../../mail/mail-content.ts';
import { plainLine } from '../../mail/plain-line.ts';
import { greeting } from './mail-words.ts';
import { sharedDataLines } from './shared-data.ts';

export interface WelcomeWords {
  organization: string;
  name: string | null;
  url: string;
}

/** Tells a person who accepted what is shared now, and how to end it. */
export function welcomeMail({ organization, name, url }: WelcomeWords): MailContent {
  const reader = plainLine(organization);
  return {
    subject: `You share your health data with ${reader}`,
    preheader: 'Keep this mail: its link lets you leave at any time.',
    blocks: [
      { kind: 'heading', text: `You share your health data with ${reader}` },
      { kind: 'paragraph', text: greeting(name) },
      { kind: 'paragraph', text: `You accepted the invitation of ${reader}. It can read:` },
      { kind: 'list', items: sharedDataLines },
      {
        kind: 'paragraph',
        text: 'You can leave at any time, without giving a reason. Keep this mail: its link is the way.',
      },
      { kind: 'button', label: 'Your page: see what you share, or leave', url },
      {
        kind: 'note',
        text: 'If it was not you who accepted, open the link and leave. The link is for you alone, so please do not pass it on.',
      },
    ],
  };
}
