import type { DeviceFacts } from '../devices/device-facts.ts';
import { compareDevices, rankForSession } from '../devices/rank.ts';
import { minuteMs } from '../durations.ts';
import type { Span } from '../spans.ts';
import {
  assignMerged,
  cluster,
  compareKeys,
  compareStarts,
  overlapMs,
  type ShownSession,
  type KeyedSession,
} from './cluster.ts';
import { distanceMetricOf, familyOf, type SportType } from './sport-types.ts';

export interface WorkoutSession extends KeyedSession {
  readonly device: DeviceFacts;
  readonly sport: SportType;
  /** Whether the device recorded the workout itself, rather than importing it from another app. */
  readonly firstHand: boolean;
  /** The local day it starts on. */
  readonly day: number;
  /** Whether the source replaces the time of the start, to hide it. */
  readonly startHidden: boolean;
  readonly distanceKm: number | null;
  /** The time from the first to the last heart rate reading. Null without a trace. */
  readonly trace: Span | null;
}

/**
 * Keeps one copy of every workout, sorted by start. The original recording wins, then the one that shows its start, then one with the distance
 * of its sport, then the higher-ranked device, then the smaller key. If a long workout of a lower-ranked device spans several of the winner's, all of the winner's are kept.
 */
export function clusterWorkouts<W extends WorkoutSession>(workouts: readonly W[]): ShownSession<W>[] {
  return joinHidden(cluster(workouts, areSame))
    .flatMap(keepBest)
    .sort((a, b) => compareStarts(a.session, b.session));
}

/** Two overlapping workouts are the same if their sports belong to one family and they share half of the shorter one, or if one echoes the other. */
function areSame(a: WorkoutSession, b: WorkoutSession): boolean {
  const shorterMs = Math.min(a.endMs - a.startMs, b.endMs - b.startMs);
  const isSameSport = familyOf(a.sport) === familyOf(b.sport) && overlapMs(a, b) * 2 >= shorterMs;
  return isSameSport || isEcho(a, b);
}

/** Whether two recordings agree so closely in time and distance, or heart rate, that they are one workout under two names. */
function isEcho(a: WorkoutSession, b: WorkoutSession): boolean {
  return (
    Math.abs(a.startMs - b.startMs) <= 2 * minuteMs &&
    isWithin(lengthOf(a), lengthOf(b), 0.05) &&
    (isWithin(a.distanceKm, b.distanceKm, 0.03) || shareOfTrace(a.trace, b.trace) >= 0.9)
  );
}

/** Whether a workout with a hidden start is the same as one of that day, by its duration and distance. */
function isHiddenCopy(hidden: WorkoutSession, other: WorkoutSession): boolean {
  return (
    hidden.startHidden &&
    hidden !== other &&
    hidden.day === other.day &&
    isWithin(lengthOf(hidden), lengthOf(other), 0.01) &&
    isWithin(hidden.distanceKm, other.distanceKm, 0.01)
  );
}

/** Joins workouts with a hidden start to the group of workouts that they are copies of. */
function joinHidden<W extends WorkoutSession>(clusters: readonly W[][]): W[][] {
  let joined = [...clusters];
  for (const hidden of clusters.flat().filter(({ startHidden }) => startHidden)) {
    const related = joined.filter((members) =>
      members.some((other) => other === hidden || isHiddenCopy(hidden, other)),
    );
    if (related.length > 1)
      joined = [...joined.filter((members) => !related.includes(members)), related.flat()];
  }
  return joined;
}

function lengthOf({ startMs, endMs }: KeyedSession): number {
  return endMs - startMs;
}

/** Whether two known amounts differ by at most this share of the larger one. */
function isWithin(a: number | null, b: number | null, share: number): boolean {
  if (a === null || b === null) return false;
  return Math.abs(a - b) <= share * Math.max(a, b);
}

/** How much of the longer trace the other one covers. */
function shareOfTrace(a: Span | null, b: Span | null): number {
  if (!a || !b) return 0;
  const sharedMs = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  return sharedMs / Math.max(a.endMs - a.startMs, b.endMs - b.startMs, 1);
}

function keepBest<W extends WorkoutSession>(members: readonly W[]): ShownSession<W>[] {
  const bestFirst = members.toSorted(compareWorkouts);
  const winner = bestFirst[0]!;
  const shownWorkouts: W[] = [];
  for (const workout of bestFirst) {
    const isOfWinner =
      workout.device.deviceNo === winner.device.deviceNo && workout.firstHand === winner.firstHand;
    const isShown = shownWorkouts.some((other) => areSame(workout, other) || isHiddenCopy(workout, other));
    if (isOfWinner && !isShown) shownWorkouts.push(workout);
  }
  const others = members.filter((workout) => !shownWorkouts.includes(workout));
  return assignMerged(shownWorkouts, others);
}

function compareWorkouts(a: WorkoutSession, b: WorkoutSession): number {
  return (
    Number(b.firstHand) - Number(a.firstHand) ||
    Number(a.startHidden) - Number(b.startHidden) ||
    Number(hasDistance(b)) - Number(hasDistance(a)) ||
    compareDevices(ranked(a), ranked(b)) ||
    compareKeys(a, b)
  );
}

/** Whether it adds to the daily distance of its sport. */
function hasDistance({ sport, distanceKm }: WorkoutSession): boolean {
  return distanceMetricOf(sport) !== null && distanceKm !== null && distanceKm > 0;
}

function ranked({ device }: WorkoutSession): { device: DeviceFacts; rank: number } {
  return { device, rank: rankForSession('workout', device) };
}
