import { isIP } from 'node:net';
import { isListed, isName } from './allow-list.ts';
import { isPublicAddress } from './public-address.ts';

const mostCharacters = 2_048;

// Spaces and control characters, which URL drops or encodes, and the backslash, which it treats as a slash.
// oxlint-disable-next-line no-control-regex
const misleading = /[\u0000-\u0020\u007f\\]/;

// Name suffixes that do not exist in public DNS: IANA's special-use names and common names of private networks.
const localEnds = [
  'localhost',
  'localdomain',
  'local',
  'lan',
  'internal',
  'intranet',
  'corp',
  'home',
  'private',
  'home.arpa',
];

/** A URL in its normalized form, or a sentence that says what is wrong with it. */
export type CheckedUrl = { ok: true; url: URL } | { ok: false; problem: string };

/** Checks a URL without a DNS lookup. `allow` lists the normalized hosts that the operator allowed. */
export function checkUrl(text: string, allow: readonly string[]): CheckedUrl {
  if (text.length > mostCharacters) return refuse('The URL is longer than 2,048 characters.');
  if (misleading.test(text))
    return refuse('The URL contains a space, a control character or a backslash. Percent-encode it.');
  if (!/^https?:\/\//i.test(text)) return refuse('The URL must begin with `https://`.');
  const url = URL.parse(text);
  if (url === null) return refuse('This is not a valid URL. Use the form `https://host/path`.');
  if (url.href.length > mostCharacters)
    return refuse('The URL is longer than 2,048 characters after percent-encoding.');
  if (url.username !== '' || url.password !== '')
    return refuse('The URL contains a user name or password. Remove the part before the `@`.');
  if (url.href.includes('#'))
    return refuse('The URL has a fragment, which is never sent. Remove the `#` and everything after it.');
  if (url.port === '0') return refuse('Port 0 is not a valid port.');
  if (isListed(allow, url.hostname, portOf(url))) return { ok: true, url };
  if (url.protocol !== 'https:') return refuse('The URL must begin with `https://`.');
  return checkHost(url);
}

/** The port of a URL, explicit or default. */
export function portOf({ port, protocol }: { port: string; protocol: string }): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

function checkHost(url: URL): CheckedUrl {
  const host = url.hostname;
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(address) !== 0) {
    return isPublicAddress(address)
      ? { ok: true, url }
      : refuse('The IP address in the URL is not on the public internet.');
  }
  if (host.endsWith('.')) return refuse('The host name in the URL ends with a dot. Remove the dot.');
  if (!isName(host)) return refuse('The host name in the URL is not a valid DNS name.');
  if (!host.includes('.') || localEnds.some((end) => host === end || host.endsWith(`.${end}`)))
    return refuse('The host name in the URL belongs to a local network. Use a host on the public internet.');
  return { ok: true, url };
}

function refuse(problem: string): CheckedUrl {
  return { ok: false, problem };
}
