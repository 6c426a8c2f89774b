import { createHash, timingSafeEqual } from 'node:crypto';
import { ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf, instantOf, listOf, textOf, type Fields } from '../mapping/read.ts';
import type { Notice, Push } from '../provider.ts';
import { streams } from './streams.ts';
import { pushSecretOf, setUpSubscriber } from './subscriber.ts';
import { isSigned } from './tink-keys.ts';

/** A moment at the very end of an interval is part of what changed. */
const marginMs = 1000;
const widestOffsetMs = 14 * 3_600_000;

/** Pushes say where something changed, and of sessions which one. */
export const push: Push = {
  setUp: setUpSubscriber,
  answer: async ({ method, headers, body }, { api }) => {
    const knowsSecret = isSame(headers['authorization'] ?? '', pushSecretOf(api.app));
    if (method !== 'POST' || !knowsSecret) return { status: 401, keep: false };
    // Google tries the address with the secret, unsigned, and without it.
    if (fieldsOf(parsed(body.toString('utf8')))['type'] === 'verification')
      return { status: 201, keep: false };
    const signature = headers['google-health-api-signature'] ?? headers['x-healthapi-signature'] ?? '';
    try {
      const isGenuine = await isSigned(api, body, signature);
      return { status: isGenuine ? 204 : 401, keep: isGenuine };
    } catch (error) {
      // Without the keys nothing can be told; it is pushed again.
      if (error instanceof ProviderFailure) return { status: 503, keep: false };
      throw error;
    }
  },
  notices: (body) => {
    const told = parsed(body);
    return (Array.isArray(told) ? told : [told]).flatMap((one) => noticesOf(fieldsOf(fieldsOf(one)['data'])));
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

/** What says no instants is by a clock that could be anywhere on earth. */
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

/** In constant time, also when the lengths differ. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
