import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openService, progress, Random, startRunStack } from '@tributary/rig';
import { type Day, startLab } from '@tributary/lab';
import { providers } from '@tributary/providers';
import {
  compareCanonicalValues,
  readCanonicalValues,
  type Dates,
  type Difference,
} from './canonical-values.ts';
import { isLeftOver } from './left-over.ts';
import { spent, untilConsolidated, untilRead } from './clocks.ts';
import { connectAll } from './connect-all.ts';
import { Kills } from './kills.ts';
import { findLeaks } from './leaks.ts';
import { liveThrough } from './live.ts';
import { Moments } from './moments.ts';
import { PushHistory } from './push-history.ts';
import { comparable, readAfresh } from './reference.ts';
import { startRelay } from './relay.ts';
import { compareWithTruth, type TruthVerdict } from './truth.ts';
import { checkConsents, type ConsentVerdict } from './verdict.ts';
import type { Consent, Member, World } from './world.ts';
import type { SyncOptions } from './options.ts';

const dayMs = 86_400_000;

export interface SyncResult {
  consents: number;
  compared: number;
  values: number;
  differences: Difference[];
  /** The comparison with what the simulated users did. */
  truth: TruthVerdict;
  /** Values that differ because of readings without an id that the provider no longer returns. */
  leftOver: number;
  /** Connections that did not finish reading. */
  unfinished: string[];
  verdict: ConsentVerdict;
  reuses: number;
  /** Calls over a provider's limit, as `provider rule: calls`. */
  exceeded: string[];
  setAside: number;
  /** Number of deadlocks that the database resolved. */
  deadlocks: number;
  leaks: string[];
  searchedPlaces: string[];
  /** Kills in total, while the process was syncing, and while new tokens were on their way to it. */
  kills: { all: number; atWork: number; atRefresh: number };
  /** The lab's counts over all providers. */
  requests: number;
  refreshes: number;
  struck: Record<string, number>;
  pushes: { succeeded: number; failed: string[]; lost: number };
  liveSeconds: number;
  seconds: number;
  /** Seconds by what the run waited for. */
  spent: Record<string, number>;
}

/** Simulates users with their providers under faults, and compares the service's data with what the lab would return now. */
export async function runSync(options: SyncOptions): Promise<SyncResult> {
  const startedAt = performance.now();
  spent.clear();
  const random = new Random(options.seed);
  const startMs = Date.now();
  const historyFromMs = startMs - options.historyDays * dayMs;
  await using lab = await startLab({ startAt: startMs });
  const moments = new Moments(lab.clock.now);
  await using relay = await startRelay(
    () => lab.url,
    (response) => moments.record(response),
  );
  await using service = await openService(options.patches);
  await using run = await startRunStack(
    ['api', 'ingest', 'jobs', 'jobs', 'keeper'],
    {
      LOG_LEVEL: 'info',
      TEST_CLOCK: 'true',
      // Without this, the service would read years of history, which the lab takes long to simulate.
      TEST_HISTORY_FROM: new Date(historyFromMs).toISOString(),
      // The lab's clock moves first, by a whole step, and signs pushes in between.
      TEST_PUSH_TOLERANCE_MS: String(dayMs),
      TEST_FAST_WAITS: 'true',
      LAB_URL: relay.url,
      ADDRESS_LIMIT_PER_SECOND: '100000',
      ADDRESS_LIMIT_BURST: '100000',
    },
    { program: service.program, existing: { labUrl: relay.url } },
  );
  const world: World = {
    run,
    lab,
    relay,
    pushes: new PushHistory(),
    random: random.fork('world'),
    key: run.stack.info.sandbox_key,
  };
  try {
    const result = await liveAndCompare(world, moments, historyFromMs, options);
    if (!isClean(result) && !options.patches)
      await keepEvidence(world, [...result.differences, ...result.truth.differences]);
    return { ...result, seconds: (performance.now() - startedAt) / 1000 };
  } catch (error) {
    await keepEvidence(world, []).catch((failure: unknown) =>
      progress(`could not store the logs: ${String(failure)}`),
    );
    throw error;
  }
}

async function liveAndCompare(
  world: World,
  moments: Moments,
  historyFromMs: number,
  options: SyncOptions,
): Promise<Omit<SyncResult, 'seconds'>> {
  const { lab, run } = world;
  const consents = await connectAll(world, options.people);
  progress(`${consents.length} consents; reading history`);
  await untilRead(world);

  const liveAt = performance.now();
  const kills = new Kills(world, consents);
  const faultsFromMs = lab.clock.now();
  const { faultsToMs, livedToMs, unfinished } = await liveThrough(world, consents, kills, options);
  await untilConsolidated(world);
  const liveSeconds = (performance.now() - liveAt) / 1000;

  const verdict = await checkConsents(world, consents);
  const counted = countAll(world);
  const chosen = comparable(consents, new Set(verdict.lost.map((text) => text.split(' ')[0]!)));
  // The first day is read only from its middle, and the last days may not have been read yet.
  const dates = { from: dateAt(historyFromMs + 2 * dayMs), to: dateAt(livedToMs - 3 * dayMs) };
  // Polar returns only four weeks, so earlier days cannot be read again.
  const polarFrom = dateAt(lab.clock.now() - 25 * dayMs);
  await enterHeartRates(world);
  const datesOf = (member: Member): Dates => knownDates(chosen, member, dates, polarFrom);
  const actual = await readCanonicalValues(world, membersOf(chosen), datesOf);
  // Documents end up to a day and a half after the day they describe.
  const isRevisable = ({ start, end }: Day): boolean => end + 2 * dayMs > faultsFromMs && start < faultsToMs;
  const truth = compareWithTruth(lab, chosen, actual, datesOf, isRevisable);
  progress(`reading everything again to compare ${dates.from} to ${dates.to}`);
  const { members: fresh, unfinished: unread } = await readAfresh(world, chosen, moments);
  unfinished.push(...unread);
  await enterHeartRates(world);
  const expected = await readCanonicalValues(world, fresh, datesOf);
  const all = [...expected].flatMap(([person, right]) =>
    compareCanonicalValues(person, right, actual.get(person) ?? new Map()),
  );
  const differences = all.filter((difference) => !isLeftOver(lab, difference));
  const { searchedPlaces, leaks } = await findLeaks(world);
  const setAside = (await run.admin.query('SELECT FROM dead_letters')).rowCount ?? 0;
  const deadlocks = await countDeadlocks(world);
  return {
    consents: consents.length,
    compared: chosen.length,
    values: [...expected.values()].reduce((sum, { size }) => sum + size, 0),
    differences,
    truth,
    leftOver: all.length - differences.length,
    unfinished,
    verdict,
    ...counted,
    setAside,
    deadlocks,
    leaks,
    searchedPlaces,
    kills: { all: kills.count, atWork: kills.atWork, atRefresh: kills.atRefresh },
    liveSeconds,
    spent: Object.fromEntries(spent),
  };
}

/** Whether the result has no failures to investigate. */
function isClean(result: Omit<SyncResult, 'seconds'>): boolean {
  const { deadlocks, setAside, reuses, differences, truth, leaks, unfinished, exceeded, verdict } = result;
  const lists = [differences, truth.differences, leaks, unfinished, exceeded, ...Object.values(verdict)];
  return deadlocks + setAside + reuses === 0 && lists.every((list) => list.length === 0);
}

function countAll({ lab }: World) {
  const all = providers.map(({ id }) => ({ id, ...lab.counts(id) }));
  const sum = (pick: (one: (typeof all)[number]) => number) =>
    all.reduce((total, one) => total + pick(one), 0);
  const struck: Record<string, number> = {};
  for (const { faults } of all)
    for (const [kind, count] of Object.entries(faults)) struck[kind] = (struck[kind] ?? 0) + count;
  return {
    reuses: sum(({ reuses }) => reuses),
    exceeded: all.flatMap(({ id, exceeded }) =>
      Object.entries(exceeded).map(([rule, calls]) => `${id} ${rule}: ${calls}`),
    ),
    requests: sum(({ requests }) => requests),
    refreshes: sum(({ refreshes }) => refreshes),
    struck,
    pushes: {
      succeeded: sum(({ pushes }) => pushes.succeeded),
      failed: all.filter(({ pushes }) => pushes.failed > 0).map(({ id, pushes }) => `${id} ${pushes.failed}`),
      lost: sum(({ pushes }) => pushes.lost),
    },
  };
}

function membersOf(consents: readonly Consent[]): Member[] {
  return [...new Set(consents.map(({ member }) => member))];
}

function knownDates(
  consents: readonly Consent[],
  { person }: Member,
  dates: Dates,
  polarFrom: string,
): Dates {
  const hasPolar = consents.some(
    ({ member, provider }) => member.person === person && provider.id === 'polar',
  );
  return hasPolar && polarFrom > dates.from ? { ...dates, from: polarFrom } : dates;
}

/**
 * Workout zones depend on the highest heart rate of half a year, but Polar returns only four weeks to a new user. Users with Polar
 * therefore get a maximum heart rate in their profile.
 */
async function enterHeartRates({ run }: World): Promise<void> {
  await run.admin.query(
    `UPDATE users SET profile = profile || '{"max_heart_rate": 185}'
     WHERE id IN (SELECT user_id FROM devices WHERE provider = 'polar')`,
  );
}

function dateAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

async function countDeadlocks({ run }: World): Promise<number> {
  const { rows } = await run.admin.query<{ deadlocks: number }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]!.deadlocks;
}

/** Saves logs and differences for debugging. */
async function keepEvidence({ run }: World, differences: readonly Difference[]): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'tributary-evidence-'));
  await cp(join(run.stack.dir, 'logs'), join(dir, 'logs'), { recursive: true });
  await writeFile(join(dir, 'differences.json'), JSON.stringify(differences, null, 1));
  progress(`logs and differences are stored in ${dir}`);
}
