import type { UserModel } from '../model/answers.ts';
import type { Reading, Session } from '../model/normalized.ts';
import type { KeptSession } from '../model/sessions.ts';
import { compareKeys, type Difference } from './differences.ts';
import type { StoredAnswer, StoredSession, StoredUser } from './stored.ts';

/** Metrics that are sums. A stored value above the expected one means that something was counted twice. */
const sums = new Set(['steps', 'running', 'asleep', 'workout_count', 'exercise_energy']);

/** Lists all differences between the stored layers of a user and the model. */
export function compareUser(userAt: number, model: UserModel, stored: StoredUser): Difference[] {
  return [
    ...compareReadings(userAt, model, stored),
    ...compareAnswers(userAt, model, stored),
    ...compareSessions(userAt, 'sleep', model.normalized.sleep, stored.deviceSleep),
    ...compareSessions(userAt, 'workout', model.normalized.workouts, stored.deviceWorkouts),
    ...compareKept(userAt, 'sleep', model.sleep, stored.sleep),
    ...compareKept(userAt, 'workout', model.workouts, stored.workouts),
  ];
}

function compareReadings(userAt: number, { normalized }: UserModel, { readings }: StoredUser): Difference[] {
  const expected = new Map<string, Reading>();
  for (const [key, moments] of normalized.readings)
    for (const [atMs, reading] of moments)
      if (reading.micros !== null) expected.set(`${key} ${new Date(atMs).toISOString()}`, reading);
  const found = readings.map(
    (reading) =>
      [`${reading.device} ${reading.metric} ${new Date(reading.atMs).toISOString()}`, reading] as const,
  );
  const differences: Difference[] = [];
  compareKeys(
    expected,
    found,
    (wrong, key, wanted, stored) => {
      const [device, metric, at] = key.split(' ') as [string, string, string];
      const told = { expected: tellReading(wanted), found: tellReading(stored) };
      differences.push({ wrong, what: 'sample', userAt, device, metric, at, ...told });
    },
    (wanted, stored) =>
      wanted.micros === stored.micros &&
      wanted.durationMs === stored.durationMs &&
      wanted.batchId === stored.batchId,
  );
  return differences;
}

function tellReading(reading: Reading | undefined): string {
  return reading ? `${reading.micros! / 1e6} for ${reading.durationMs} ms by ${reading.batchId}` : 'nothing';
}

function compareAnswers(userAt: number, model: UserModel, stored: StoredUser): Difference[] {
  const differences: Difference[] = [];
  compareKeys(
    model.answers,
    [...stored.answers],
    (wrong, key, expected = 'null', found = 'null') => {
      const [at, metric] = key.split(' ') as [string, string];
      const added = wrong === 'wrong' && sums.has(metric) && Number(found) > Number(expected);
      differences.push({ wrong: added ? 'twice' : wrong, what: 'day', userAt, metric, at, expected, found });
    },
    (expected, found) => expected === found,
  );
  return differences;
}

const tellSpan = (session: { startMs: number; endMs: number } | undefined) =>
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
    (wrong, key, expected, found) => {
      const [device, at] = key.split(' ') as [string, string];
      const told = { expected: tellSpan(expected), found: tellSpan(found) };
      differences.push({ wrong, what: 'session', userAt, device, metric, at, ...told });
    },
    (expected, found) => expected.startMs === found.startMs && expected.endMs === found.endMs,
  );
  return differences;
}

function tellKept(session: KeptSession | StoredAnswer | undefined, measured: unknown): string {
  if (!session) return 'nothing';
  const { date, isMain, gaveWay } = session;
  return `${tellSpan(session)} on ${date}${isMain ? ' (main)' : ''}, ${String(measured)}, for ${gaveWay.join(', ') || 'itself'}`;
}

function compareKept(
  userAt: number,
  metric: string,
  model: Map<string, KeptSession>,
  stored: readonly StoredAnswer[],
): Difference[] {
  const numberOf = (session: KeptSession | undefined) =>
    session?.numbers[metric === 'sleep' ? 'asleep' : 'distance'];
  const storedNumber = (session: StoredAnswer | undefined) =>
    metric === 'sleep'
      ? session?.content['asleepMinutes']
      : (session?.content['values'] as Record<string, number> | undefined)?.['distance'];
  const differences: Difference[] = [];
  compareKeys(
    model,
    stored.map((session) => [`${session.device} ${session.id}`, session] as const),
    (wrong, key, expected, found) => {
      const [device, at] = key.split(' ') as [string, string];
      const told = {
        expected: tellKept(expected, numberOf(expected)),
        found: tellKept(found, storedNumber(found)),
      };
      differences.push({ wrong, what: 'session', userAt, device, metric: `kept ${metric}`, at, ...told });
    },
    (expected, found) => tellKept(expected, numberOf(expected)) === tellKept(found, storedNumber(found)),
  );
  return differences;
}
