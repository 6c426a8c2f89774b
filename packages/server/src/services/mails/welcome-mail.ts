import type { MailContent } from '../../mail/mail-content.ts';
import { plainLine } from '../../mail/plain-line.ts';
import { greeting } from './mail-words.ts';
import { sharedDataLines } from './shared-data.ts';

export interface WelcomeWords {
  organization: string;
  name: string | null;
  url: string;
}

/** Confirms to a person who accepted which data they share and how to stop. */
export function welcomeMail({ organization, name, url }: WelcomeWords): MailContent {
  const reader = plainLine(organization);
  return {
    subject: `You are sharing your health data with ${reader}`,
    preheader: 'Keep this email. You can use its link to stop sharing at any time.',
    blocks: [
      { kind: 'heading', text: `You are sharing your health data with ${reader}` },
      { kind: 'paragraph', text: greeting(name) },
      { kind: 'paragraph', text: `You accepted the invitation from ${reader}. It can now read:` },
      { kind: 'list', items: sharedDataLines },
      {
        kind: 'paragraph',
        text: 'You can stop sharing at any time, without giving a reason. Keep this email, because you need its link to do so.',
      },
      { kind: 'button', label: 'See what you share, or stop sharing', url },
      {
        kind: 'note',
        text: 'If you did not accept this invitation, open the link and stop sharing. The link is only for you, so please do not share it.',
      },
    ],
  };
}
