import { isIP } from 'node:net';
import { isListed, isName } from './allow-list.ts';
import { isPublicAddress } from './public-address.ts';

const mostCharacters = 2_048;

// Blanks and control characters, which URL drops or encodes, and the backslash, which it takes for a slash.
// oxlint-disable-next-line no-control-regex
const misleading = /[\u0000-\u0020\u007f\\]/;

// Ends of names that no public DNS answers for: IANA's special-use names, and what networks use among themselves.
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

/** A URL in its normalized form, or what is wrong with it, in a sentence for people. */
export type CheckedUrl = { ok: true; url: URL } | { ok: false; problem: string };

/** Checks a URL by itself, without asking DNS. `allow` holds the hosts that the operator opened, normalized. */
export function checkUrl(text: string, allow: readonly string[]): CheckedUrl {
  if (text.length > mostCharacters) return refuse('The URL is longer than 2,048 characters.');
  if (misleading.test(text))
    return refuse('The URL holds a blank, a control character or a backslash. Percent-encode it.');
  if (!/^https?:\/\//i.test(text)) return refuse('The URL must begin with `https://`.');
  const url = URL.parse(text);
  if (url === null) return refuse('This is not a URL. Write it as `https://host/path`.');
  if (url.href.length > mostCharacters)
    return refuse('The URL is longer than 2,048 characters once it is percent-encoded.');
  if (url.username !== '' || url.password !== '')
    return refuse('The URL holds a user name or password. Leave out what stands before the `@`.');
  if (url.href.includes('#'))
    return refuse('The URL has a fragment, which is never sent. Leave out the `#`.');
  if (url.port === '0') return refuse('Port 0 cannot be connected to.');
  if (isListed(allow, url.hostname, portOf(url))) return { ok: true, url };
  if (url.protocol !== 'https:') return refuse('The URL must begin with `https://`.');
  return checkHost(url);
}

/** The port that a URL means, given or not. */
export function portOf({ port, protocol }: { port: string; protocol: string }): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

function checkHost(url: URL): CheckedUrl {
  const host = url.hostname;
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(address) !== 0) {
    return isPublicAddress(address)
      ? { ok: true, url }
      : refuse('The address in the URL is not one of the public internet.');
  }
  if (host.endsWith('.')) return refuse('The name in the URL ends with a dot. Leave it out.');
  if (!isName(host)) return refuse('The name in the URL is not one that DNS can hold.');
  if (!host.includes('.') || localEnds.some((end) => host === end || host.endsWith(`.${end}`)))
    return refuse('The name in the URL belongs to a local network. Use one of the public internet.');
  return { ok: true, url };
}

function refuse(problem: string): CheckedUrl {
  return { ok: false, problem };
}
