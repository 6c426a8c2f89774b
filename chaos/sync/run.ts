import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { progress } from '../../bench/report.ts';
import { startRunStack } from '../../bench/service.ts';
import { startLab } from '../../packages/lab/src/index.ts';
import { providers } from '../../packages/providers/src/index.ts';
import { copyService, type Replacement } from '../ingest/copy-service.ts';
import { Random } from '../ingest/random.ts';
import { compareAnswers, readAnswers, type Difference } from './answers.ts';
import { setServiceClock, untilAnswered, untilRead } from './clocks.ts';
import { Kills } from './kills.ts';
import { findLeaks } from './leaks.ts';
import { liveThrough } from './live.ts';
import { comparable, PushHistory, readAfresh } from './reference.ts';
import { startRelay } from './relay.ts';
import { judgeConsents, type ConsentVerdict } from './verdict.ts';
import {
  connect,
  createMember,
  introduceToLab,
  planConsents,
  type Consent,
  type Member,
  type World,
} from './world.ts';

const dayMs = 86_400_000;

export interface SyncOptions {
  seed: string;
  people: number;
  /** With faults; quiet ones follow. */
  days: number;
  /** Days before the connection that are read. */
  historyDays: number;
  stepMs: number;
  quietStepMs: number;
  kills: number;
  revocations: number;
  replacements?: readonly Replacement[];
}

export interface SyncResult {
  consents: number;
  compared: number;
  values: number;
  differences: Difference[];
  /** Connections whose reading afresh came to no end. */
  unfinished: string[];
  verdict: ConsentVerdict;
  reuses: number;
  /** Calls over a limit of a provider, as `provider rule: calls`. */
  exceeded: string[];
  setAside: number;
  /** Times that the database had to end one of two who waited for each other. */
  deadlocks: number;
  leaks: string[];
  looked: string[];
  killsAtWork: number;
  /** What the lab counted over all providers. */
  requests: number;
  refreshes: number;
  struck: Record<string, number>;
  pushes: { succeeded: number; failed: string[]; lost: number };
  liveSeconds: number;
  seconds: number;
}

/** Lets people live with their providers while everything goes wrong, and compares what the service knows with what the lab would tell now. */
export async function runSync(options: SyncOptions): Promise<SyncResult> {
  const startedAt = performance.now();
  const random = new Random(options.seed);
  const startMs = Date.now();
  const historyFromMs = startMs - options.historyDays * dayMs;
  await using lab = await startLab({ startAt: startMs });
  await using relay = await startRelay(() => lab.url);
  await using copy = await copyService([
    readBackTo(historyFromMs),
    ...lateSignatures,
    ...(options.replacements ?? []),
  ]);
  await using run = await startRunStack(
    ['api', 'ingest', 'jobs', 'jobs'],
    {
      LOG_LEVEL: 'info',
      TEST_CLOCK: 'true',
      LAB_URL: relay.url,
      ADDRESS_LIMIT_PER_SECOND: '100000',
      ADDRESS_LIMIT_BURST: '100000',
      SCORE_DEBOUNCE_SECONDS: '3600',
    },
    { program: copy.program, existing: { labUrl: relay.url } },
  );
  const world: World = { run, lab, relay, random: random.fork('world'), key: run.stack.info.sandbox_key };
  const consents = await connectEverybody(world, options);
  progress(`${consents.length} consents; reading what there was before`);
  await untilRead(world);

  const liveAt = performance.now();
  const kills = new Kills(world);
  const pushes = new PushHistory();
  pushes.collect(world);
  await liveThrough(world, consents, kills, options, () => pushes.collect(world));
  await untilAnswered(world);
  const liveSeconds = (performance.now() - liveAt) / 1000;

  const verdict = await judgeConsents(world, consents, kills.atMs);
  const counted = countAll(world);
  const chosen = comparable(
    consents,
    new Set([...verdict.cutOff, ...verdict.lost.map((text) => text.split(' ')[0]!)]),
  );
  // The first day is read from its middle on, and of the last ones nobody needs to have heard yet.
  const dates = { from: dateAt(historyFromMs + 2 * dayMs), to: dateAt(lab.clock.now() - 3 * dayMs) };
  const found = await readAnswers(world, membersOf(chosen), dates);
  progress(`reading everything afresh, to compare ${dates.from} to ${dates.to}`);
  const { members: fresh, unfinished } = await readAfresh(world, chosen, pushes);
  const expected = await readAnswers(world, fresh, dates);
  const differences = [...expected].flatMap(([person, right]) =>
    compareAnswers(person, right, found.get(person) ?? new Map()),
  );
  const { looked, leaks } = await findLeaks(world);
  const setAside = (await run.admin.query('SELECT FROM dead_letters')).rowCount ?? 0;
  const deadlocks = await countDeadlocks(world);
  const isClean = deadlocks + differences.length + leaks.length + setAside + verdict.lost.length === 0;
  if (!isClean && !options.replacements) await keepLogs(world);
  return {
    consents: consents.length,
    compared: chosen.length,
    values: [...expected.values()].reduce((sum, { size }) => sum + size, 0),
    differences,
    unfinished,
    verdict,
    ...counted,
    setAside,
    deadlocks,
    leaks,
    looked,
    killsAtWork: kills.atWork,
    liveSeconds,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** The service would read years, which take the lab long to make up. */
function readBackTo(fromMs: number): Replacement {
  return {
    file: 'packages/server/src/services/connections/finish-connecting.ts',
    find: 'historyDays: provider.historyDays,',
    replace: `historyDays: Math.min(provider.historyDays, Math.ceil((ctx.clock.now() - ${fromMs}) / ${dayMs})),`,
  };
}

/** The lab's clock goes first, by a whole step: what it signs meanwhile would seem to come from the future. */
const lateSignatures: readonly Replacement[] = [
  {
    file: 'oura/push.ts',
    find: 'const longestSkewMs = 5 * 60_000;',
    replace: `const longestSkewMs = ${dayMs};`,
  },
  {
    file: 'whoop/push.ts',
    find: 'const toleranceMs = 5 * 60_000;',
    replace: `const toleranceMs = ${dayMs};`,
  },
  {
    file: 'strava/signature.ts',
    find: 'const toleranceMs = 300_000;',
    replace: `const toleranceMs = ${dayMs};`,
  },
].map(({ file, ...texts }) => ({ file: `packages/providers/src/${file}`, ...texts }));

async function connectEverybody(world: World, { people }: SyncOptions): Promise<Consent[]> {
  await setServiceClock(world);
  introduceToLab(world);
  const members = new Map<string, Member>();
  const consents: Consent[] = [];
  for (const { person, provider } of planConsents(world.lab, people)) {
    const member = members.get(person) ?? (await createMember(world, person));
    members.set(person, member);
    consents.push(await connect(world, member, provider));
  }
  return consents;
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

function dateAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

async function countDeadlocks({ run }: World): Promise<number> {
  const { rows } = await run.admin.query<{ deadlocks: number }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]!.deadlocks;
}

/** For who looks for the cause. */
async function keepLogs({ run }: World): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'tributary-evidence-'));
  await cp(join(run.stack.dir, 'logs'), join(dir, 'logs'), { recursive: true });
  progress(`logs are kept in ${dir}`);
}
