import PostalMime, { type Address } from 'postal-mime';

/** A received mail, as its reader sees it. */
export interface CaughtMail {
  /** Counts up from 1. */
  id: number;
  receivedAt: string;
  /** The recipients given to the mail server. */
  recipients: string[];
  from: string;
  to: string;
  replyTo: string;
  subject: string;
  messageId: string;
  headers: { name: string; value: string }[];
  text: string;
  html: string | null;
}

/** Parses a mail from its wire format. */
export async function readMail(
  raw: Buffer,
  { id, recipients }: Pick<CaughtMail, 'id' | 'recipients'>,
): Promise<CaughtMail> {
  const mail = await PostalMime.parse(raw, { maxNestingDepth: 20 });
  return {
    id,
    receivedAt: new Date().toISOString(),
    recipients,
    from: writeAddresses(mail.from === undefined ? [] : [mail.from]),
    to: writeAddresses(mail.to ?? []),
    replyTo: writeAddresses(mail.replyTo ?? []),
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? '',
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    text: mail.text ?? '',
    html: mail.html ?? null,
  };
}

function writeAddresses(addresses: readonly Address[]): string {
  return addresses
    .flatMap((entry) => entry.group ?? [entry])
    .map(({ name, address }) => (name === '' ? address : `${name} <${address}>`))
    .join(', ');
}
