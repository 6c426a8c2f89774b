import { lengthOf, mainOf, shortestMainMinutes, type SleepSession } from '../sessions/cluster-sleep.ts';
import { countWords, instantWords, numberWords } from './words.ts';

/** Whether a session is the main sleep of its day, and why. */
export interface MainVerdict {
  readonly isMain: boolean;
  readonly because: string;
}

/** Says why a session is the main sleep of its day, or is not; `ofDay` are all that show for the day. */
export function explainMainSleep(session: SleepSession, ofDay: readonly SleepSession[]): MainVerdict {
  const main = mainOf(ofDay);
  const own = lengthWords(session);
  if (main === null) {
    const because = `It has ${own}; a main sleep has at least ${shortestMainMinutes}.`;
    return { isMain: false, because };
  }
  if (main.key === session.key) {
    const among =
      ofDay.length === 1 ? 'the only session' : `the longest of ${countWords(ofDay.length, 'session')}`;
    const because = `With ${own} it is ${among} that ${ofDay.length === 1 ? 'ends' : 'end'} on its day, and has at least ${shortestMainMinutes}.`;
    return { isMain: true, because };
  }
  const isShorter = lengthOf(session) < lengthOf(main);
  const relation = isShorter ? 'is longer' : 'is as long and started first';
  const because = `The session that started at ${instantWords(main.startMs)} ${relation}: ${lengthWords(main)} there, ${own} here.`;
  return { isMain: false, because };
}

function lengthWords(session: SleepSession): string {
  const minutes = `${numberWords(Math.round(lengthOf(session) * 10) / 10)} minutes`;
  if (session.asleepMinutes !== null) return `${minutes} asleep`;
  return session.inBedMinutes === null ? `${minutes} from start to end` : `${minutes} in bed`;
}
