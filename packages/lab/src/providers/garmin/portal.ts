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
  /** Null if the app has not configured a URL. */
  endpointOf: (clientId: string, key: string) => Endpoint | null;
}

interface PortalBody {
  client_id?: unknown;
  client_secret?: unknown;
  endpoints?: Record<string, { url?: unknown; mode?: unknown }>;
}

/**
 * Simulates two things that have no API at Garmin: the portal in which an app sets a URL per key, and the page on which users change their
 * permissions. An app without settings gets everything pushed to its one URL.
 */
export function servePortal(app: FastifyInstance, frame: Frame, onChanged: (grant: Grant) => void): Portal {
  const endpointsByClient = new Map<string, Map<string, Endpoint>>();
  app.put('/portal/endpoints', (request, reply) => {
    const body = (request.body ?? {}) as PortalBody;
    const client = frame.app(String(body.client_id));
    if (!client || !isSameSecret(String(body.client_secret), client.clientSecret))
      return refuse(reply, 401, 'Incorrect client_id or client_secret.');
    const endpoints = Object.entries(body.endpoints ?? {});
    if (endpoints.length > 50 || !endpoints.every(([, endpoint]) => isEndpoint(endpoint)))
      return refuse(
        reply,
        400,
        'endpoints must have the form {"dailies": {"url": "http://…", "mode": "push" or "ping"}}.',
      );
    const mine = endpointsByClient.get(client.clientId) ?? new Map<string, Endpoint>();
    for (const [key, endpoint] of endpoints) mine.set(key, endpoint as Endpoint);
    endpointsByClient.set(client.clientId, mine);
    return Object.fromEntries(mine);
  });
  app.put('/portal/permissions', (request, reply) => {
    const body = (request.body ?? {}) as { user_id?: unknown; permissions?: unknown };
    const grant = frame.oauth.grants().find((one) => one.userId === body.user_id && !one.revoked);
    if (!grant) return refuse(reply, 404, 'No connected user has this user_id.');
    const wanted = body.permissions;
    if (!Array.isArray(wanted) || !wanted.every((one) => permissions.includes(String(one))))
      return refuse(reply, 400, `permissions must be a list of ${permissions.join(', ')}.`);
    grant.scopes = wanted.map(String);
    onChanged(grant);
    return { permissions: grant.scopes };
  });
  return {
    endpointOf: (clientId, key) => {
      const url = frame.app(clientId)?.pushUrl;
      return endpointsByClient.get(clientId)?.get(key) ?? (url ? { url, mode: 'push' } : null);
    },
  };
}

function isEndpoint(endpoint: { url?: unknown; mode?: unknown } | null): boolean {
  const url = typeof endpoint?.url === 'string' && URL.canParse(endpoint.url) ? new URL(endpoint.url) : null;
  return (
    url !== null && /^https?:$/.test(url.protocol) && (endpoint?.mode === 'push' || endpoint?.mode === 'ping')
  );
}

function refuse(reply: FastifyReply, status: number, errorMessage: string): FastifyReply {
  return reply.code(status).send({ errorMessage });
}
