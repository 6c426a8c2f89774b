import { createHmac } from 'node:crypto';
import { isSameSecret } from '../is-same-secret.ts';
import { fieldsOf, idOf, instantOf } from '../mapping/read.ts';
import { signatureToleranceMs, type App, type Push, type PushRequest } from '../provider.ts';
import { streams } from './streams.ts';
import { setUp, verificationTokenOf } from './subscriptions.ts';

/** Pushes contain the id of a document, which is then read. */
export const push: Push = {
  setUp,

  respond: async (request, { api, toleranceMs = signatureToleranceMs }) => {
    if (request.method === 'GET') return respondToChallenge(request, api.app);
    if (request.method !== 'POST') return { status: 405, keep: false };
    return isGenuine(request, api.app, { nowMs: api.now(), toleranceMs })
      ? { status: 200, keep: true }
      : { status: 401, keep: false };
  },

  notices: (body) => {
    const { event_type: event, data_type: type, object_id: objectId, user_id: user } = readBody(body);
    const stream = streams.find(({ name }) => name === type);
    const [id, userId] = [idOf(objectId), idOf(user)];
    if (!stream || id === null || userId === null) return [];
    const about = { userId, stream: stream.name, id };
    if (event === 'delete') return stream.deletes.length > 0 ? [{ kind: 'deleted', ...about }] : [];
    return stream.readOne && (event === 'create' || event === 'update')
      ? [{ kind: 'document', ...about }]
      : [];
  },
};

function respondToChallenge(
  { query }: PushRequest,
  app: App,
): { status: number; body?: string; keep: boolean } {
  if (!isSameSecret(query.get('verification_token') ?? '', verificationTokenOf(app)))
    return { status: 401, keep: false };
  return { status: 200, body: JSON.stringify({ challenge: query.get('challenge') ?? '' }), keep: false };
}

function isGenuine(
  { headers, body }: PushRequest,
  app: App,
  { nowMs, toleranceMs }: { nowMs: number; toleranceMs: number },
): boolean {
  const timestamp = headers['x-oura-timestamp'] ?? '';
  const signature = createHmac('sha256', app.clientSecret).update(timestamp).update(body).digest('hex');
  const isSigned = isSameSecret(headers['x-oura-signature'] ?? '', signature.toUpperCase());
  const atMs = timeOf(timestamp);
  return isSigned && atMs !== null && Math.abs(nowMs - atMs) <= toleranceMs;
}

/** The timestamp format is undocumented: seconds, milliseconds or ISO. */
function timeOf(timestamp: string): number | null {
  if (!/^\d+$/.test(timestamp)) return instantOf(timestamp);
  return timestamp.length > 11 ? Number(timestamp) : Number(timestamp) * 1000;
}

function readBody(body: string): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(body));
  } catch {
    return {};
  }
}
