import type { FastifyInstance, FastifyReply } from 'fastify';
import { isSameSecret } from '../../oauth/secrets.ts';
import type { Frame, Grant } from '../../provider.ts';
import { permissions } from './oauth.ts';

/** Where the summaries of a key go, and whether they are pushed or only pinged. */
interface Endpoint {
  url: string;
  mode: 'push' | 'ping';
}

export interface Portal {
  /** Null while an app has not said where. */
  endpointOf: (clientId: string, key: string) => Endpoint | null;
}

interface PortalBody {
  client_id?: unknown;
  client_secret?: unknown;
  endpoints?: Record<string, { url?: unknown; mode?: unknown }>;
}

/**
 * Stands for two things that have no API at Garmin: the portal in which an app says where each key goes, and the page on which people change
 * what they permit. An app that says nothing gets everything pushed to its one address.
 */
export function servePortal(app: FastifyInstance, frame: Frame, onChanged: (grant: Grant) => void): Portal {
  const kept = new Map<string, Map<string, Endpoint>>();
  app.put('/portal/endpoints', (request, reply) => {
    const body = (request.body ?? {}) as PortalBody;
    const found = frame.app(String(body.client_id));
    if (!found || !isSameSecret(String(body.client_secret), found.clientSecret))
      return refuse(reply, 401, 'Unknown client_id or wrong client_secret.');
    const endpoints = Object.entries(body.endpoints ?? {});
    if (endpoints.length > 50 || !endpoints.every(([, given]) => isEndpoint(given)))
      return refuse(
        reply,
        400,
        'Give endpoints as {"dailies": {"url": "http://…", "mode": "push" or "ping"}}.',
      );
    const mine = kept.get(found.clientId) ?? new Map<string, Endpoint>();
    for (const [key, given] of endpoints) mine.set(key, given as Endpoint);
    kept.set(found.clientId, mine);
    return Object.fromEntries(mine);
  });
  app.put('/portal/permissions', (request, reply) => {
    const body = (request.body ?? {}) as { user_id?: unknown; permissions?: unknown };
    const grant = frame.oauth.grants().find((one) => one.userId === body.user_id && !one.revoked);
    if (!grant) return refuse(reply, 404, 'Nobody with this user_id is connected.');
    const wanted = body.permissions;
    if (!Array.isArray(wanted) || !wanted.every((one) => permissions.includes(String(one))))
      return refuse(reply, 400, `Give permissions as a list of ${permissions.join(', ')}.`);
    grant.scopes = wanted.map(String);
    onChanged(grant);
    return { permissions: grant.scopes };
  });
  return {
    endpointOf: (clientId, key) => {
      const url = frame.app(clientId)?.pushUrl;
      return kept.get(clientId)?.get(key) ?? (url ? { url, mode: 'push' } : null);
    },
  };
}

function isEndpoint(given: { url?: unknown; mode?: unknown } | null): boolean {
  const url = typeof given?.url === 'string' && URL.canParse(given.url) ? new URL(given.url) : null;
  return url !== null && /^https?:$/.test(url.protocol) && (given?.mode === 'push' || given?.mode === 'ping');
}

function refuse(reply: FastifyReply, status: number, errorMessage: string): FastifyReply {
  return reply.code(status).send({ errorMessage });
}
