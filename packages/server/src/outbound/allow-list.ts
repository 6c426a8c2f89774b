import { isIPv6 } from 'node:net';

const name = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const longestName = 253;

/** Whether a host, in the spelling of a WHATWG URL, is a valid DNS name. */
export function isName(host: string): boolean {
  return host.length <= longestName && name.test(host);
}

/** Normalizes an allow-list entry, `host` or `host:port`, to the spelling of a WHATWG URL. Returns null if it is invalid. */
export function normalizeEntry(entry: string): string | null {
  const bracketed = isIPv6(entry) ? `[${entry}]` : entry;
  const [, written, port] = /^(\[[^\]]+\]|[^[\]:/?#@\\\s]+)(?::(\d{1,5}))?$/.exec(bracketed) ?? [];
  const host = written === undefined ? undefined : URL.parse(`http://${written}`)?.hostname;
  if (host === undefined || !(host.startsWith('[') || isName(host))) return null;
  if (port === undefined) return host;
  return Number(port) >= 1 && Number(port) <= 65_535 ? `${host}:${Number(port)}` : null;
}

/** Whether the operator allowed a host, entirely or at this port. The host is in the spelling of a WHATWG URL. */
export function isListed(allow: readonly string[], host: string, port: number): boolean {
  return allow.includes(host) || allow.includes(`${host}:${port}`);
}

/** An address in the spelling of a URL, so that all its spellings compare equal. */
export function hostOfAddress(address: string): string {
  return isIPv6(address) ? (URL.parse(`http://[${address}]`)?.hostname ?? address) : address;
}
