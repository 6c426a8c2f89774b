import type { FastifyRequest } from 'fastify';

/**
 * Whether a form came from a page of ours. A browser that does not say where it came from is let in, and so is `Origin: null`: our pages ask
 * browsers to keep quiet about their address, and the link is the secret that counts.
 */
export function isOwnForm(request: FastifyRequest, publicUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = request.headers;
  if (origin === undefined || origin === 'null') return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.origin === originOf(publicUrl) || from.host === request.host;
}

function originOf(publicUrl: string): string | null {
  return URL.canParse(publicUrl) ? new URL(publicUrl).origin : null;
}
