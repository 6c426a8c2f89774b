import { plainLine } from './plain-line.ts';

/** The sender or recipient of a mail. */
export interface MailAddress {
  name: string | null;
  address: string;
}

const mostAddress = 254;
const mostName = 200;

// Quoted local parts and address literals are rejected: real mailboxes do not have them, and much mail software parses them incorrectly.
const localPart = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domain =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** Returns whether the text is one plain mail address. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  return (
    text.length <= mostAddress &&
    at > 0 &&
    at <= 64 &&
    localPart.test(text.slice(0, at)) &&
    domain.test(text.slice(at + 1))
  );
}

/** Parses `address`, `Name <address>` or `"Name" <address>`. Returns null for anything else. */
export function parseSender(text: string): MailAddress | null {
  const [, quoted, bare, inBrackets] = /^(?:"([^"\\]*)"|([^"<>]*?))\s*<([^<>]+)>$/.exec(text) ?? [];
  const address = inBrackets ?? text;
  const name = plainLine(quoted ?? bare ?? '');
  if (!isMailAddress(address) || name.length > mostName) return null;
  return { name: name === '' ? null : name, address };
}

/** Returns the part after the @. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
