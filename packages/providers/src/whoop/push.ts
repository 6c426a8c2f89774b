import { createHmac } from 'node:crypto';
import { isSameSecret } from '../is-same-secret.ts';
import { fieldsOf, idOf, textOf } from '../mapping/read.ts';
import { signatureToleranceMs, type Notice, type Push, type PushRequest } from '../provider.ts';

/** WHOOP's pushes. The URL is entered in its developer dashboard, and each push is signed with the app's secret. */
export const push: Push = {
  setUp: null,
  respond: (request, { api, toleranceMs = signatureToleranceMs }) => {
    const isGenuine = isSigned(request, api.app.clientSecret, { nowMs: api.now(), toleranceMs });
    return Promise.resolve({ status: isGenuine ? 204 : 401, keep: isGenuine });
  },
  notices: (body) => {
    const { user_id: user, id: document, type } = readBody(body);
    const [userId, id] = [idOf(user), textOf(document)];
    if (userId === null || id === null) return [];
    return noticesOf.get(type)?.(userId, id) ?? [];
  },
};

/** What each push type leads to. There is no type for new records. A recovery is identified by its sleep. */
const noticesOf = new Map<unknown, (userId: string, id: string) => Notice[]>([
  [
    'sleep.updated',
    (userId, id) => [
      { userId, kind: 'document', stream: 'sleep', id },
      { userId, kind: 'document', stream: 'sleep_heart_rate', id },
    ],
  ],
  ['recovery.updated', (userId, id) => [{ userId, kind: 'document', stream: 'sleep', id }]],
  // The sleep may still exist. Without its recovery it maps the recovery's deletion.
  ['recovery.deleted', (userId, id) => [{ userId, kind: 'document', stream: 'sleep', id }]],
  ['sleep.deleted', (userId, id) => [{ userId, kind: 'deleted', stream: 'sleep', id }]],
  ['workout.updated', (userId, id) => [{ userId, kind: 'document', stream: 'workout', id }]],
  ['workout.deleted', (userId, id) => [{ userId, kind: 'deleted', stream: 'workout', id }]],
]);

function isSigned(
  { headers, body }: PushRequest,
  secret: string,
  { nowMs, toleranceMs }: { nowMs: number; toleranceMs: number },
): boolean {
  const time = headers['x-whoop-signature-timestamp'] ?? '';
  if (!/^\d{1,16}$/.test(time) || Math.abs(nowMs - Number(time)) > toleranceMs) return false;
  const signature = createHmac('sha256', secret).update(time).update(body).digest('base64');
  return isSameSecret(headers['x-whoop-signature'] ?? '', signature);
}

function readBody(body: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(body));
  } catch {
    return {};
  }
}
