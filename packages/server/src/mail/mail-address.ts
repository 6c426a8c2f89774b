import { plainLine } from './plain-line.ts';

/** Who sends or gets a mail. */
export interface MailAddress {
  name: string | null;
  address: string;
}

const mostAddress = 254;
const mostName = 200;

// No quoted local parts and no address literals: nobody has such a mailbox, and many who handle mail take them apart wrongly.
const localPart = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domain =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** Whether this is one plain mail address. */
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

/** `address`, `Name <address>` or `"Name" <address>`; null when it is none of them. */
export function parseSender(text: string): MailAddress | null {
  const [, quoted, bare, inBrackets] = /^(?:"([^"\\]*)"|([^"<>]*?))\s*<([^<>]+)>$/.exec(text) ?? [];
  const address = inBrackets ?? text;
  const name = plainLine(quoted ?? bare ?? '');
  if (!isMailAddress(address) || name.length > mostName) return null;
  return { name: name === '' ? null : name, address };
}

/** The part behind the @. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
