import type { FastifyRequest } from 'fastify';

/**
 * Returns whether a form came from one of our pages. Requests without an origin and with `Origin: null` are accepted: our pages suppress
 * the referrer, and the link's token is the actual secret.
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
