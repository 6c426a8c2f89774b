import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countOne, type Counts } from '../world/counts.ts';
import type { FaultKind, FaultRecord, Faults } from '../world/faults.ts';
import type { LabProvider, OAuth } from '../provider.ts';

const DEFAULT_DELAY_MS = 1000;

/** Applies faults before and after every data request, meaning every request with a token. */
export function installFaults(
  app: FastifyInstance,
  provider: LabProvider,
  parts: { faults: Faults; oauth: OAuth; counts: Counts },
): void {
  const { faults, oauth, counts } = parts;
  const truncatedRequests = new WeakSet<FastifyRequest>();
  const strike = (kind: FaultKind, person: string, word: string | number): FaultRecord | null => {
    const record = faults.strike(kind, provider.id, person, word);
    if (record) countOne(counts.faults, kind);
    return record;
  };

  app.addHook('onRequest', async (request, reply) => {
    counts.requests += 1;
    const grant = oauth.grantOf(request);
    if (!grant) return;
    const { personId } = grant;
    if (strike('consent_revoked', personId, grant.id)) return oauth.revoke(grant.id);
    const slow = strike('slow', personId, counts.requests);
    if (slow) await sleep(slow.delayMs ?? DEFAULT_DELAY_MS);
    if (strike('error', personId, counts.requests)) return (provider.broken ?? sendGatewayError)(reply);
    if (strike('truncated', personId, counts.requests)) truncatedRequests.add(request);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    if (!truncatedRequests.has(request) || typeof payload !== 'string' || payload.length < 2) return payload;
    // The header announces the full length but the body has half of it. The client would wait for the rest if the connection stayed open.
    reply.header('content-length', Buffer.byteLength(payload)).header('connection', 'close');
    return Readable.from([Buffer.from(payload.slice(0, Math.floor(payload.length / 2)))]);
  });
}

function sendGatewayError(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .type('text/html')
    .send('<html><head><title>503 Service Temporarily Unavailable</title></head><body></body></html>');
}
