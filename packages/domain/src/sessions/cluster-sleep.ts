import type { DeviceFacts } from '../devices/device-facts.ts';
import { compareDevices, rankForSession } from '../devices/rank.ts';
import { dayOf, minutesFromMidnight, timezoneAt } from '../days.ts';
import { hourMs, minuteMs } from '../durations.ts';
import { coveredMs } from '../spans.ts';
import type { Timezones } from '../timezones.ts';
import {
  assignMerged,
  cluster,
  compareKeys,
  compareStarts,
  overlapMs,
  type ShownSession,
  type KeyedSession,
} from './cluster.ts';

export interface SleepSession extends KeyedSession {
  readonly device: DeviceFacts;
  readonly asleepMinutes: number | null;
  readonly inBedMinutes: number | null;
  /** Whether the user's settings for sleep stages include the device. */
  readonly enabled: boolean;
}

export const shortestMainMinutes = 60;
/** Shorter sessions within these local hours are naps, even if they are the only sleep of the day. */
export const longestNapMs = 3 * hourMs;
export const napHours = { from: 9, to: 21 } as const;
/** The share of the time of overlapping sessions that a device must cover to be compared by rank. */
const eligibleShare = 0.6;

/**
 * Of sessions that overlap in time, keeps those of one device, sorted by start: the highest-ranked of the devices that cover most of that
 * time. If that device reports two that overlap, keeps the longer one, then the one with the smaller key. A session without a time asleep,
 * such as time in bed, counts only where no other session has one.
 */
export function clusterSleep<S extends SleepSession>(sessions: readonly S[]): ShownSession<S>[] {
  const enabled = sessions.filter((session) => session.enabled);
  const measured = enabled.filter(isMeasured);
  const groups = cluster(measured, () => true).map((members) => ({ members, others: [] as S[] }));
  const free: S[] = [];
  for (const session of enabled.filter((one) => !isMeasured(one))) {
    const group = groups.find(({ members }) => members.some((member) => overlapMs(member, session) > 0));
    if (group) group.others.push(session);
    else free.push(session);
  }
  for (const members of cluster(free, () => true)) groups.push({ members, others: [] });
  return groups
    .flatMap(({ members, others }) => keepBest(members, others))
    .sort((a, b) => compareStarts(a.session, b.session));
}

function isMeasured({ asleepMinutes }: SleepSession): boolean {
  return asleepMinutes !== null;
}

/**
 * The main sleep among the sessions that end on one day: the longest with at least 60 minutes that is not a nap. Time in bed counts only if
 * no such session has a time asleep. Null if there is none. Ties go to the earlier start, then to the smaller key.
 */
export function mainOf<S extends SleepSession>(sessions: readonly S[], timezones: Timezones): S | null {
  const [longest] = sessions
    .filter((session) => lengthOf(session) >= shortestMainMinutes && !isNap(session, timezones))
    .sort(
      (a, b) =>
        Number(isMeasured(b)) - Number(isMeasured(a)) || lengthOf(b) - lengthOf(a) || compareStarts(a, b),
    );
  return longest ?? null;
}

/** Whether a session is a nap by its time and duration. */
export function isNap({ startMs, endMs }: KeyedSession, timezones: Timezones): boolean {
  if (endMs - startMs >= longestNapMs) return false;
  const timezone = timezoneAt(startMs, timezones);
  const day = dayOf(startMs, timezone);
  const [from, to] = [startMs, endMs].map((instantMs) => minutesFromMidnight(instantMs, day, timezone) / 60);
  return from! >= napHours.from && to! <= napHours.to;
}

/** The length of a sleep in minutes: time asleep if known, else time in bed, else from start to end. */
export function lengthOf({ asleepMinutes, inBedMinutes, startMs, endMs }: SleepSession): number {
  return asleepMinutes ?? inBedMinutes ?? (endMs - startMs) / minuteMs;
}

/** Keeps the sessions of the best device. `further` sessions take no part in the choice. */
function keepBest<S extends SleepSession>(members: readonly S[], further: readonly S[]): ShownSession<S>[] {
  const winner = bestDevice(members);
  const shownSessions: S[] = [];
  const longestFirst = members.toSorted((a, b) => lengthOf(b) - lengthOf(a) || compareKeys(a, b));
  for (const session of longestFirst) {
    const isFree = shownSessions.every((other) => overlapMs(session, other) === 0);
    if (session.device.deviceNo === winner && isFree) shownSessions.push(session);
  }
  const others = [...members.filter((session) => !shownSessions.includes(session)), ...further];
  return assignMerged(shownSessions, others);
}

/**
 * The highest-ranked device that covers enough of the time from the first start to the last end. If none does, of those that cover at least
 * half as much as the one that covers most.
 */
function bestDevice(members: readonly SleepSession[]): number {
  const spanMs =
    Math.max(...members.map(({ endMs }) => endMs)) - Math.min(...members.map(({ startMs }) => startMs));
  const ranked = [...Map.groupBy(members, ({ device }) => device.deviceNo).values()]
    .map((own) => ({ device: own[0]!.device, coveredMs: coveredMs(own) }))
    .map((one) => ({ ...one, rank: rankForSession('sleep', one.device) }))
    .sort(compareDevices);
  const mostMs = Math.max(...ranked.map((one) => one.coveredMs));
  const leastMs = mostMs >= spanMs * eligibleShare ? spanMs * eligibleShare : mostMs / 2;
  return ranked.find((one) => one.coveredMs >= leastMs)!.device.deviceNo;
}
