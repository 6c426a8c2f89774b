import type { SessionReason } from '@tributary/contract';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { rankForSession } from '../devices/rank.ts';
import { overlapMs, type KeyedSession } from '../sessions/cluster.ts';
import { whyBehind } from './behind.ts';
import { countWords } from './words.ts';

/** A session of one device, and what people call the device. */
export interface ToldSession extends KeyedSession {
  readonly device: DeviceFacts;
  readonly label: string;
  /** Whether the device recorded it itself; sleep always counts as such. */
  readonly firstHand: boolean;
}

/** Why a session does not show. */
export interface SessionVerdict {
  readonly reason: SessionReason;
  readonly because: string;
  readonly overlapMinutes: number;
}

/** Says why a session gave way to the one that shows in its place. */
export function explainMerged(
  kind: 'sleep' | 'workout',
  kept: ToldSession,
  other: ToldSession,
): SessionVerdict {
  const overlapMinutes = overlapMs(kept, other) / 60_000;
  return { ...whyNotKept(kind, kept, other), overlapMinutes };
}

function whyNotKept(
  kind: 'sleep' | 'workout',
  kept: ToldSession,
  other: ToldSession,
): { reason: SessionReason; because: string } {
  if (kept.firstHand && !other.firstHand) {
    const because = `It is a copy that another app handed on; ${kept.label} recorded the same itself.`;
    return { reason: 'second_hand', because };
  }
  if (kept.device.deviceNo === other.device.deviceNo) {
    const rule =
      kind === 'sleep' ? 'the longer one stays, then the one with the smaller id' : 'one of them stays';
    return {
      reason: 'same_device_overlap',
      because: `The same device tells another session of that time; of such ${rule}.`,
    };
  }
  const ranked = (session: ToldSession) => ({ ...session, rank: rankForSession(kind, session.device) });
  const why = whyBehind(ranked(kept), ranked(other));
  // What was stored by the ranks of before.
  return why ?? { reason: 'other_id', because: `It gave way to ${kept.label}.` };
}

/** Says that a session of a provider that is left out does not show. */
export function explainExcluded(
  kept: KeyedSession,
  other: ToldSession,
  where: 'everywhere' | 'for sleep',
): SessionVerdict {
  return {
    reason: 'excluded',
    because: `The settings of this user leave ${other.device.provider} out ${where}.`,
    overlapMinutes: overlapMs(kept, other) / 60_000,
  };
}

/** The answer in a sentence or two. */
export function summarizeSession(
  kind: 'sleep' | 'workout',
  kept: ToldSession,
  counts: { merged: number; excluded: number; pending: boolean },
): string {
  const noun = kind === 'sleep' ? 'sleep session' : 'workout';
  const others = countWords(counts.merged, 'other telling', 'other tellings');
  const sentences = [
    counts.merged === 0
      ? `This ${noun} is told by ${kept.label} alone.`
      : `This ${noun} is the telling of ${kept.label}, which stands for ${others} of the same.`,
  ];
  if (counts.excluded > 0)
    sentences.push(
      `${countWords(counts.excluded, 'telling')} at the same time ${counts.excluded === 1 ? 'is' : 'are'} left out by the settings.`,
    );
  if (counts.pending)
    sentences.push('A change is still being worked in, after which it may not show any more.');
  return sentences.join(' ');
}
