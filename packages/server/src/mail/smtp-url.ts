import { isLoopback } from '../settings/loopback.ts';

/** A mail server and its connection settings. */
export interface SmtpServer {
  host: string;
  port: number;
  /** Whether TLS starts with the connection. */
  secure: boolean;
  auth: { user: string; pass: string } | null;
}

const defaultPorts = { 'smtp:': 587, 'smtps:': 465 } as const;

/** Parses `smtp://user:password@host:587` or `smtps://…`. Returns null for anything else. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (url === null || !isKnown(url.protocol) || url.hostname === '') return null;
  // A path, query or fragment would be ignored silently, so it is rejected.
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

/** Whether the connection must use TLS, uses TLS if the server offers it, or uses none. */
export type TlsDemand = 'required' | 'offered' | 'none';

/** Mail to this machine needs no TLS. Other mail does, unless the operator made it optional. */
export function tlsDemand({ host, secure }: SmtpServer, setting: 'required' | 'optional'): TlsDemand {
  if (secure) return 'required';
  if (isLoopback(host)) return 'none';
  return setting === 'required' ? 'required' : 'offered';
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
