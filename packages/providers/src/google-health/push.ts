import { hourMs } from '@tributary/domain';
import { ProviderFailure } from '../failure.ts';
import { isSameSecret } from '../is-same-secret.ts';
import { fieldsOf, idOf, instantOf, listOf, textOf, type Fields } from '../mapping/read.ts';
import type { Notice, Push } from '../provider.ts';
import { streams } from './streams.ts';
import { pushSecretOf, setUpSubscriber } from './subscriber.ts';
import { isSigned } from './tink-keys.ts';

/** A sample at the very end of an interval is part of the change. */
const marginMs = 1000;
const widestOffsetMs = 14 * hourMs;

/** Pushes contain the changed intervals, and the id of a session. */
export const push: Push = {
  setUp: setUpSubscriber,
  respond: async ({ method, headers, body }, { api }) => {
    const knowsSecret = isSameSecret(headers['authorization'] ?? '', pushSecretOf(api.app));
    if (method !== 'POST' || !knowsSecret) return { status: 401, keep: false };
    // Google verifies the URL with the secret, unsigned, and without it.
    if (fieldsOf(parsed(body.toString('utf8')))['type'] === 'verification')
      return { status: 201, keep: false };
    const signature = headers['google-health-api-signature'] ?? headers['x-healthapi-signature'] ?? '';
    try {
      const isGenuine = await isSigned(api, body, signature);
      return { status: isGenuine ? 204 : 401, keep: isGenuine };
    } catch (error) {
      // Without the keys the push cannot be verified. Google sends it again.
      if (error instanceof ProviderFailure) return { status: 503, keep: false };
      throw error;
    }
  },
  notices: (body) => {
    const payload = parsed(body);
    return (Array.isArray(payload) ? payload : [payload]).flatMap((one) =>
      noticesOf(fieldsOf(fieldsOf(one)['data'])),
    );
  },
};

function noticesOf({ healthUserId, dataType, operation, recordId, intervals }: Fields): Notice[] {
  const userId = idOf(healthUserId);
  const stream = streams.find(({ name }) => name === dataType);
  if (userId === null || !stream) return [];
  const id = idOf(recordId);
  if (stream.readOne && id !== null)
    return [{ userId, stream: stream.name, id, kind: operation === 'DELETE' ? 'deleted' : 'document' }];
  return listOf(intervals).flatMap((interval): Notice[] => {
    const span = spanOf(fieldsOf(interval));
    return span ? [{ userId, stream: stream.name, kind: 'span', ...span }] : [];
  });
}

/** A push without absolute times uses a local clock in an unknown time zone. */
function spanOf({ physicalTimeInterval, civilIso8601TimeInterval }: Fields): {
  fromMs: number;
  toMs: number;
} | null {
  const physical = fieldsOf(physicalTimeInterval);
  const civil = fieldsOf(civilIso8601TimeInterval);
  const [fromMs, toMs] = [instantOf(physical['startTime']), instantOf(physical['endTime'])];
  if (fromMs !== null && toMs !== null) return fromMs <= toMs ? { fromMs, toMs: toMs + marginMs } : null;
  const [start, end] = [civil['startTime'], civil['endTime']].map((time) => instantOf(`${textOf(time)}Z`));
  if (typeof start !== 'number' || typeof end !== 'number' || start > end) return null;
  return { fromMs: start - widestOffsetMs, toMs: end + widestOffsetMs };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
