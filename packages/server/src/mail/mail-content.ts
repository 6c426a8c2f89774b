/** The content of a mail, from which both its HTML and text versions are rendered. All text is plain, without markup. */
export interface MailContent {
  subject: string;
  /** Shown by mail programs beside the subject. HTML only. Without it, mail programs would show the heading there. */
  preheader: string;
  blocks: readonly MailBlock[];
}

export type MailBlock =
  | { kind: 'heading' | 'paragraph' | 'note'; text: string }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'button'; label: string; url: string };
