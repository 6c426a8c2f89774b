import { isIPv4 } from 'node:net';

/** A mail server and how to speak to it. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte on. */
  secure: boolean;
  auth: { user: string; pass: string } | null;
}

const defaultPorts = { 'smtp:': 587, 'smtps:': 465 } as const;

/** Reads `smtp://user:password@host:587` or `smtps://…`; null when it is neither. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (url === null || !isKnown(url.protocol) || url.hostname === '') return null;
  // What stands there would be without effect, and its author would not know.
  if ((url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '') return null;
  const user = decode(url.username);
  const pass = decode(url.password);
  if (user === null || pass === null || (user === '') !== (pass === '')) return null;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPorts[url.protocol] : Number(url.port),
    secure: url.protocol === 'smtps:',
    auth: user === '' ? null : { user, pass },
  };
}

/** What is asked of the connection: TLS always, TLS where the server offers it, or none. */
export type TlsDemand = 'required' | 'offered' | 'none';

/** Mail that does not leave the machine needs no TLS; any other does, unless the operator said that it is optional. */
export function tlsDemand({ host, secure }: SmtpServer, setting: 'required' | 'optional'): TlsDemand {
  if (secure) return 'required';
  if (isLoopback(host)) return 'none';
  return setting === 'required' ? 'required' : 'offered';
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function isKnown(protocol: string): protocol is keyof typeof defaultPorts {
  return protocol in defaultPorts;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
