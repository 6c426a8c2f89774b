import { isIPv4 } from 'node:net';

/** Whether a host name or address is this machine. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
