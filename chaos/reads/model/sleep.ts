import type { LocalDays } from '@tributary/rig';
import type { ModelDevice, ModelSession, SleepContent } from './normalized.ts';
import { lengthOfUnion } from './parts.ts';
import { inOrderOfRank } from './ranks.ts';
import type { ModelSettings } from './settings.ts';

/** The numbers of one sleep session, in minutes and percent. Unknown ones are null. */
export interface SleepNumbers {
  asleep: number | null;
  deep: number | null;
  light: number | null;
  rem: number | null;
  awake: number | null;
  inBed: number | null;
  efficiency: number | null;
  latency: number | null;
  wakeAfterOnset: number | null;
  latencyToArising: number | null;
  awakenings: number | null;
}

export interface ModelSleep extends ModelSession<SleepContent> {
  date: string;
  numbers: SleepNumbers;
}

export interface CanonicalSleep extends ModelSleep {
  isMain: boolean;
}

const minuteMs = 60_000;
const asleepStages = new Set<string | null>(['light', 'deep', 'rem', 'asleep']);
const isSleep = (stage: string | null) => asleepStages.has(stage);
const ifAny = (count: number) => (count > 0 ? count : null);

/** Adds to sessions their numbers and the date on which they end. */
export function numberSleep(sessions: readonly ModelSession<SleepContent>[], days: LocalDays): ModelSleep[] {
  return sessions.map((session) => ({
    ...session,
    date: days.dateOf(session.endMs),
    numbers: numbersOf(session),
  }));
}

/** Goes through a night minute by minute. All stages begin and end a whole number of minutes after the start. */
function numbersOf({ startMs, endMs, content }: ModelSession<SleepContent>): SleepNumbers {
  const { stages, minutes } = content;
  const length = (endMs - startMs) / minuteMs;
  const stageAt: (string | null)[] = Array.from({ length }, () => null);
  const bedAt: boolean[] = Array.from({ length }, () => false);
  const beds: { from: number; to: number }[] = [];
  for (const stage of stages) {
    const [from, to] = [(stage.startMs - startMs) / minuteMs, (stage.endMs - startMs) / minuteMs];
    if (stage.stage === 'in_bed') beds.push({ from, to });
    for (let at = from; at < to; at += 1)
      if (stage.stage === 'in_bed') bedAt[at] = true;
      else stageAt[at] = stage.stage;
  }
  const count = (test: (stage: string | null, at: number) => boolean) => stageAt.filter(test).length;
  const slept = count(isSleep);
  const isStaged = count((stage) => stage === 'asleep') === 0;
  const staged = (stage: string) => (isStaged ? ifAny(count((other) => other === stage)) : null);
  const knownMinutes = count((stage, at) => stage !== null || bedAt[at]!);
  const painted = count((stage) => stage !== null);
  const added =
    minutes.deep !== undefined && minutes.light !== undefined && minutes.rem !== undefined
      ? minutes.deep + minutes.light + minutes.rem
      : null;
  const asleep = minutes.asleep ?? added ?? ifAny(slept);
  const isBedTimeReported = beds.length > 0 || (painted > 0 && knownMinutes === length);
  const inBed = minutes.in_bed ?? (isBedTimeReported ? knownMinutes : null);
  return {
    asleep,
    deep: minutes.deep ?? staged('deep'),
    light: minutes.light ?? staged('light'),
    rem: minutes.rem ?? staged('rem'),
    awake: minutes.awake ?? ifAny(count((stage) => stage === 'awake')) ?? (slept === length ? 0 : null),
    inBed,
    efficiency:
      asleep === null || inBed === null || inBed <= 0 || asleep > inBed ? null : (100 * asleep) / inBed,
    ...orderOf(stageAt, bedAt, beds),
  };
}

/** Sleep latency, wake after sleep onset, latency to arising, and number of awakenings. */
function orderOf(
  stageAt: readonly (string | null)[],
  bedAt: readonly boolean[],
  beds: readonly { from: number; to: number }[],
): Pick<SleepNumbers, 'latency' | 'wakeAfterOnset' | 'latencyToArising' | 'awakenings'> {
  const onset = stageAt.findIndex(isSleep);
  if (onset === -1) return { latency: null, wakeAfterOnset: null, latencyToArising: null, awakenings: null };
  const wake = stageAt.findLastIndex(isSleep) + 1;
  const lying = (from: number, to: number) => {
    if (from === to) return beds.some((bed) => bed.from <= from && bed.to >= to) ? 0 : null;
    for (let at = from; at < to; at += 1) if (stageAt[at] === null && !bedAt[at]) return null;
    return to - from;
  };
  let [wakeMinutes, awakenings, run] = [0, 0, 0];
  let unbroken = true;
  for (let at = onset; at < wake; at += 1) {
    if (stageAt[at] === null) unbroken = false;
    if (stageAt[at] === 'awake') {
      wakeMinutes += 1;
      run += 1;
    } else {
      if (run > 5) awakenings += 1;
      run = 0;
    }
  }
  return {
    latency: lying(0, onset),
    wakeAfterOnset: unbroken ? wakeMinutes : null,
    latencyToArising: lying(wake, stageAt.length),
    awakenings: unbroken ? awakenings : null,
  };
}

/** The length by which the longest sleep is chosen. */
function lengthOf({ numbers: { asleep, inBed }, startMs, endMs }: ModelSleep): number {
  return asleep ?? inBed ?? (endMs - startMs) / minuteMs;
}

const overlap = (a: ModelSleep, b: ModelSleep) => a.startMs < b.endMs && b.startMs < a.endMs;
const byLength = (a: ModelSleep, b: ModelSleep) => lengthOf(b) - lengthOf(a) || (a.key < b.key ? -1 : 1);

/** Sessions with a time asleep, and the others that overlap none of these. */
function evidence(sessions: readonly ModelSleep[]): { measured: ModelSleep[]; free: ModelSleep[] } {
  const measured = sessions.filter(({ numbers }) => numbers.asleep !== null);
  const rest = sessions.filter(({ numbers }) => numbers.asleep === null);
  return { measured, free: rest.filter((one) => !measured.some((other) => overlap(one, other))) };
}

/** Of one device's overlapping sessions, keeps the longest. */
export function withoutOwnOverlaps(sessions: readonly ModelSleep[]): ModelSleep[] {
  const sessionsWithoutOverlap: ModelSleep[] = [];
  const { measured, free } = evidence(sessions);
  for (const session of [...measured, ...free].sort(byLength))
    if (!sessionsWithoutOverlap.some((other) => overlap(session, other)))
      sessionsWithoutOverlap.push(session);
  return sessionsWithoutOverlap;
}

/** Whether a session is shorter than three hours and between 9:00 and 21:00. */
function isNap({ startMs, endMs }: ModelSleep, clock: LocalDays): boolean {
  const minutes = (instantMs: number) => clock.minutesFrom(clock.shownDateOf(startMs), instantMs);
  return endMs - startMs < 180 * minuteMs && minutes(startMs) >= 9 * 60 && minutes(endMs) <= 21 * 60;
}

/** The longest session of a day with at least an hour that is not a nap. */
export function mainOf(sessions: readonly ModelSleep[], clock: LocalDays): ModelSleep | null {
  let main: ModelSleep | null = null;
  const long = sessions.filter((session) => lengthOf(session) >= 60 && !isNap(session, clock));
  const measured = long.filter(({ numbers }) => numbers.asleep !== null);
  for (const session of measured.length > 0 ? measured : long) {
    const difference = main === null ? 1 : lengthOf(session) - lengthOf(main);
    const isEarlier =
      main !== null &&
      (session.startMs < main.startMs || (session.startMs === main.startMs && session.key < main.key));
    if (difference > 0 || (difference === 0 && isEarlier)) main = session;
  }
  return main;
}

/** The sessions that the API returns, from all enabled devices. */
export function keepSleep(
  sessions: readonly ModelSleep[],
  settings: ModelSettings,
  clock: LocalDays,
): CanonicalSleep[] {
  const open = sessions.filter(({ device }) => settings.takesPart('sleep_stages', device.provider));
  const bestSessions: ModelSleep[] = [];
  const { measured, free } = evidence(open);
  for (const group of [...groupsOf(measured, overlap), ...groupsOf(free, overlap)]) {
    const best = bestDevice(group);
    bestSessions.push(...withoutOwnOverlaps(group.filter(({ device }) => device === best)));
  }
  return bestSessions.map((session) => {
    const ofDate = bestSessions.filter(({ date }) => date === session.date);
    return { ...session, isMain: mainOf(ofDate, clock) === session };
  });
}

/** Of the devices that cover enough of a group of overlapping sessions, the one that ranks best. */
function bestDevice(group: readonly ModelSleep[]): ModelDevice {
  const spanMs =
    Math.max(...group.map(({ endMs }) => endMs)) - Math.min(...group.map(({ startMs }) => startMs));
  const coveredMs = new Map(
    [...Map.groupBy(group, ({ device }) => device)].map(([device, own]) => [
      device,
      lengthOfUnion(own.map(({ startMs, endMs }) => [startMs, endMs])),
    ]),
  );
  const mostMs = Math.max(...coveredMs.values());
  // Whole milliseconds, so that 60% is exact.
  const isMost = (ms: number) => ms * 10 >= spanMs * 6;
  return inOrderOfRank([...coveredMs.keys()], 'sleepStages').find((device) => {
    const ownMs = coveredMs.get(device)!;
    return isMost(mostMs) ? isMost(ownMs) : ownMs * 2 >= mostMs;
  })!;
}

/** Groups items that are related, directly or through others. */
export function groupsOf<T>(things: readonly T[], related: (a: T, b: T) => boolean): T[][] {
  const left = new Set(things);
  const groups: T[][] = [];
  for (const first of things) {
    if (!left.delete(first)) continue;
    const group = [first];
    for (const one of group)
      for (const other of left)
        if (related(one, other)) {
          left.delete(other);
          group.push(other);
        }
    groups.push(group);
  }
  return groups;
}
