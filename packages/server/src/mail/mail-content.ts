/** What a mail says, once for both of its forms. Texts are plain: nothing in them is markup. */
export interface MailContent {
  subject: string;
  /** Shown by mail programs beside the subject; HTML alone, where it would otherwise be the heading again. */
  preheader: string;
  blocks: readonly MailBlock[];
}

export type MailBlock =
  | { kind: 'heading' | 'paragraph' | 'note'; text: string }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'button'; label: string; url: string };
