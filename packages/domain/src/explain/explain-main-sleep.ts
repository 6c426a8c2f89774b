import { hourMs } from '../durations.ts';
import {
  isNap,
  lengthOf,
  longestNapMs,
  mainOf,
  napHours,
  shortestMainMinutes,
  type SleepSession,
} from '../sessions/cluster-sleep.ts';
import type { Timezones } from '../timezones.ts';
import { countWords, instantWords, numberWords } from './words.ts';

/** Whether a session is the main sleep of its day, and why. */
export interface MainVerdict {
  readonly isMain: boolean;
  readonly because: string;
}

/** Explains why a session is or is not the main sleep of its day. `ofDay` contains all sessions shown for the day. */
export function explainMainSleep(
  session: SleepSession,
  ofDay: readonly SleepSession[],
  timezones: Timezones,
): MainVerdict {
  const main = mainOf(ofDay, timezones);
  const own = lengthWords(session);
  if (main?.key !== session.key && isNap(session, timezones)) {
    const hours = countWords(longestNapMs / hourMs, 'hour');
    const because = `Not the main sleep: it is a nap, shorter than ${hours} and between ${napHours.from}:00 and ${napHours.to}:00.`;
    return { isMain: false, because };
  }
  if (main === null || lengthOf(session) < shortestMainMinutes) {
    const because = `Not the main sleep: ${own} is less than the minimum of ${shortestMainMinutes} minutes.`;
    return { isMain: false, because };
  }
  if (main.key === session.key) {
    const among =
      ofDay.length === 1
        ? 'the only session that ends'
        : `the longest of ${countWords(ofDay.length, 'session')} that end`;
    const because = `Main sleep: ${among} on this day, with ${own}. The minimum is ${shortestMainMinutes} minutes.`;
    return { isMain: true, because };
  }
  if (session.asleepMinutes === null && main.asleepMinutes !== null) {
    const because = `Not the main sleep: its time asleep is not known. The session that started at ${instantWords(main.startMs)} has ${lengthWords(main)}.`;
    return { isMain: false, because };
  }
  const isShorter = lengthOf(session) < lengthOf(main);
  const relation = isShorter ? 'is longer' : 'is equally long and started earlier';
  const because = `Not the main sleep: the session that started at ${instantWords(main.startMs)} ${relation}, with ${lengthWords(main)}. This one has ${own}.`;
  return { isMain: false, because };
}

function lengthWords(session: SleepSession): string {
  const minutes = `${numberWords(Math.round(lengthOf(session) * 10) / 10)} minutes`;
  if (session.asleepMinutes !== null) return `${minutes} asleep`;
  return session.inBedMinutes === null ? `${minutes} from start to end` : `${minutes} in bed`;
}
