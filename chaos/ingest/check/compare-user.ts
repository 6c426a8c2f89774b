import type { UserModel } from '../model/user-model.ts';
import type { Reading, Session } from '../model/normalized.ts';
import type { CanonicalSession } from '../model/sessions.ts';
import { compareKeys, type Difference } from './differences.ts';
import type { StoredCanonicalSession, StoredSession, StoredUser } from './stored.ts';

/** Metrics that are sums. A stored value above the expected one means that something was counted twice. */
const sums = new Set(['steps', 'running', 'asleep', 'workout_count', 'exercise_energy']);

/** Lists all differences between the stored layers of a user and the model. */
export function compareUser(userAt: number, model: UserModel, stored: StoredUser): Difference[] {
  return [
    ...compareReadings(userAt, model, stored),
    ...compareCanonicalValues(userAt, model, stored),
    ...compareSessions(userAt, 'sleep', model.normalized.sleep, stored.deviceSleep),
    ...compareSessions(userAt, 'workout', model.normalized.workouts, stored.deviceWorkouts),
    ...compareCanonicalSessions(userAt, 'sleep', model.sleep, stored.sleep),
    ...compareCanonicalSessions(userAt, 'workout', model.workouts, stored.workouts),
  ];
}

function compareReadings(userAt: number, { normalized }: UserModel, { readings }: StoredUser): Difference[] {
  const expected = new Map<string, Reading>();
  for (const [key, moments] of normalized.readings)
    for (const [atMs, reading] of moments)
      if (reading.micros !== null) expected.set(`${key} ${new Date(atMs).toISOString()}`, reading);
  const actual = readings.map(
    (reading) =>
      [`${reading.device} ${reading.metric} ${new Date(reading.atMs).toISOString()}`, reading] as const,
  );
  const differences: Difference[] = [];
  compareKeys(
    expected,
    actual,
    (wrong, key, wanted, stored) => {
      const [device, metric, at] = key.split(' ') as [string, string, string];
      const texts = { expected: describeReading(wanted), actual: describeReading(stored) };
      differences.push({ wrong, what: 'sample', userAt, device, metric, at, ...texts });
    },
    (wanted, stored) =>
      wanted.micros === stored.micros &&
      wanted.durationMs === stored.durationMs &&
      wanted.batchId === stored.batchId,
  );
  return differences;
}

function describeReading(reading: Reading | undefined): string {
  return reading ? `${reading.micros! / 1e6} for ${reading.durationMs} ms by ${reading.batchId}` : 'nothing';
}

function compareCanonicalValues(userAt: number, model: UserModel, stored: StoredUser): Difference[] {
  const differences: Difference[] = [];
  compareKeys(
    model.canonicalValues,
    [...stored.canonicalValues],
    (wrong, key, expected = 'null', actualValue = 'null') => {
      const [at, metric] = key.split(' ') as [string, string];
      const added = wrong === 'wrong' && sums.has(metric) && Number(actualValue) > Number(expected);
      differences.push({
        wrong: added ? 'twice' : wrong,
        what: 'day',
        userAt,
        metric,
        at,
        expected,
        actual: actualValue,
      });
    },
    (expected, actual) => expected === actual,
  );
  return differences;
}

const describeSpan = (session: { startMs: number; endMs: number } | undefined) =>
  session
    ? `${new Date(session.startMs).toISOString()} to ${new Date(session.endMs).toISOString()}`
    : 'nothing';

/** Compares the sessions of each device, including those that were merged into another. */
function compareSessions(
  userAt: number,
  metric: string,
  model: Map<string, Session | null>,
  stored: readonly StoredSession[],
): Difference[] {
  const live = new Map([...model].filter((entry): entry is [string, Session] => entry[1] !== null));
  const differences: Difference[] = [];
  compareKeys(
    live,
    stored.map((session) => [`${session.device} ${session.id}`, session] as const),
    (wrong, key, expected, actual) => {
      const [device, at] = key.split(' ') as [string, string];
      const texts = { expected: describeSpan(expected), actual: describeSpan(actual) };
      differences.push({ wrong, what: 'session', userAt, device, metric, at, ...texts });
    },
    (expected, actual) => expected.startMs === actual.startMs && expected.endMs === actual.endMs,
  );
  return differences;
}

function describeCanonicalSession(
  session: CanonicalSession | StoredCanonicalSession | undefined,
  measured: unknown,
): string {
  if (!session) return 'nothing';
  const { date, isMain, mergedFrom } = session;
  return `${describeSpan(session)} on ${date}${isMain ? ' (main)' : ''}, ${String(measured)}, for ${mergedFrom.join(', ') || 'itself'}`;
}

function compareCanonicalSessions(
  userAt: number,
  metric: string,
  model: Map<string, CanonicalSession>,
  stored: readonly StoredCanonicalSession[],
): Difference[] {
  const numberOf = (session: CanonicalSession | undefined) =>
    session?.numbers[metric === 'sleep' ? 'asleep' : 'distance'];
  const storedNumber = (session: StoredCanonicalSession | undefined) =>
    metric === 'sleep'
      ? session?.content['asleepMinutes']
      : (session?.content['values'] as Record<string, number> | undefined)?.['distance'];
  const differences: Difference[] = [];
  compareKeys(
    model,
    stored.map((session) => [`${session.device} ${session.id}`, session] as const),
    (wrong, key, expected, actual) => {
      const [device, at] = key.split(' ') as [string, string];
      const texts = {
        expected: describeCanonicalSession(expected, numberOf(expected)),
        actual: describeCanonicalSession(actual, storedNumber(actual)),
      };
      differences.push({ wrong, what: 'session', userAt, device, metric: `kept ${metric}`, at, ...texts });
    },
    (expected, actual) =>
      describeCanonicalSession(expected, numberOf(expected)) ===
      describeCanonicalSession(actual, storedNumber(actual)),
  );
  return differences;
}
