import type { SessionReason } from '@tributary/contract';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { rankForSession } from '../devices/rank.ts';
import { minuteMs } from '../durations.ts';
import { overlapMs, type KeyedSession } from '../sessions/cluster.ts';
import { whyLowerRank } from './why-lower-rank.ts';
import { countWords, startCountWords, timeWords } from './words.ts';

/** A session of one device, with the label of the device. */
export interface LabeledSession extends KeyedSession {
  readonly device: DeviceFacts;
  readonly label: string;
  /** Whether the device recorded the session itself. Always true for sleep. */
  readonly firstHand: boolean;
  /** Whether it has a distance. Always false for sleep. */
  readonly hasDistance: boolean;
}

/** Why a session is not shown. */
export interface SessionVerdict {
  readonly reason: SessionReason;
  readonly because: string;
  readonly overlapMinutes: number;
}

/** Explains why a session was merged into the one that is shown. */
export function explainMerged(
  kind: 'sleep' | 'workout',
  shownSession: LabeledSession,
  other: LabeledSession,
): SessionVerdict {
  const overlapMinutes = overlapMs(shownSession, other) / minuteMs;
  return { ...reasonNotShown(kind, shownSession, other), overlapMinutes };
}

function reasonNotShown(
  kind: 'sleep' | 'workout',
  shownSession: LabeledSession,
  other: LabeledSession,
): { reason: SessionReason; because: string } {
  if (shownSession.firstHand && !other.firstHand) {
    const because = `Not used: it is a copy from another app, and ${shownSession.label} recorded the original.`;
    return { reason: 'second_hand', because };
  }
  if (shownSession.device.deviceNo === other.device.deviceNo) {
    const rule =
      kind === 'sleep'
        ? 'Longer sessions are used first, then those with smaller IDs.'
        : 'Only one of them is used.';
    return {
      reason: 'same_device_overlap',
      because: `Not used: the same device reported an overlapping session. ${rule}`,
    };
  }
  const ranked = (session: LabeledSession) => ({ ...session, rank: rankForSession(kind, session.device) });
  const why = whyLowerRank(ranked(shownSession), ranked(other), kind === 'sleep' ? 'sleep' : 'workouts');
  if (!why && kind === 'sleep') {
    const isShorter = lengthOf(other) < lengthOf(shownSession);
    if (!isShorter)
      return {
        reason: 'low_coverage',
        because: `Not used: ${shownSession.label} recorded more of the sleep.`,
      };
    const because = `Not used: it covers ${timeWords(lengthOf(other))} of the sleep, and ${shownSession.label} covers ${timeWords(lengthOf(shownSession))}.`;
    return { reason: 'low_coverage', because };
  }
  // Only a workout whose start is hidden is joined to one at another time with the same duration.
  if (kind === 'workout' && overlapMs(shownSession, other) === 0 && isAsLong(shownSession, other)) {
    const because = `Not used: its source hides when it started, and it has the same duration and distance as the workout from ${shownSession.label}.`;
    return { reason: 'hidden_start', because };
  }
  if (!why && shownSession.hasDistance && !other.hasDistance) {
    const because = `Not used: it has no distance, and ${shownSession.label} recorded one.`;
    return { reason: 'less_complete', because };
  }
  // The stored decision may predate the current ranks.
  if (!why) return { reason: 'other_id', because: `Not used: ${shownSession.label} was used instead.` };
  return { reason: why.reason, because: `Not used: ${shownSession.label} ${why.predicate}` };
}

function isAsLong(a: LabeledSession, b: LabeledSession): boolean {
  return Math.abs(lengthOf(a) - lengthOf(b)) <= 0.01 * Math.max(lengthOf(a), lengthOf(b));
}

function lengthOf({ startMs, endMs }: LabeledSession): number {
  return endMs - startMs;
}

/** Explains that a session is not shown because its provider is excluded. */
export function explainExcluded(
  shownSession: KeyedSession,
  other: LabeledSession,
  where: 'everywhere' | 'for sleep',
): SessionVerdict {
  return {
    reason: 'excluded',
    because: `Not used: this user's settings exclude ${other.device.provider} ${where}.`,
    overlapMinutes: overlapMs(shownSession, other) / minuteMs,
  };
}

/** What happened to the other sessions, and whether the shown one may still change. */
export interface SessionCounts {
  readonly merged: number;
  /** Whether all merged sessions are from devices other than that of the shown session. */
  readonly fromOtherDevices: boolean;
  readonly excluded: number;
  readonly pending: boolean;
}

/** Explains in a few sentences which device a shown session is from. */
export function summarizeSession(shownSession: LabeledSession, counts: SessionCounts): string {
  const { merged, fromOtherDevices, excluded, pending } = counts;
  const sentences = [merged === 0 ? `From ${shownSession.label} only.` : `From ${shownSession.label}.`];
  if (merged > 0) {
    const sessions = startCountWords(merged, 'overlapping session');
    const origin = merged === 1 ? ' from another device' : ' from other devices';
    sentences.push(
      `${sessions}${fromOtherDevices ? origin : ''} ${merged === 1 ? 'was' : 'were'} merged into it.`,
    );
  }
  if (excluded > 0)
    sentences.push(`This user's settings exclude ${countWords(excluded, 'overlapping session')}.`);
  if (pending)
    sentences.push('Recalculating. This session may disappear when the latest change takes effect.');
  return sentences.join(' ');
}
