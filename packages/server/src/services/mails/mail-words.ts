import { plainLine } from '../../mail/plain-line.ts';

const mostGreeted = 60;

/** Returns the name to greet with, or null if it resembles an address or a link, because a name must not smuggle content into our mail. */
export function nameToGreet(name: string | null): string | null {
  const line = plainLine(name ?? '');
  const isName = line !== '' && line.length <= mostGreeted && !/[/:@\\]|\p{L}\.\p{L}{2}|www\b/iu.test(line);
  return isName ? line : null;
}

/** `Hello Ada,`, or `Hello,` without a usable name. */
export function greeting(name: string | null): string {
  const greeted = nameToGreet(name);
  return greeted === null ? 'Hello,' : `Hello ${greeted},`;
}

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** `November 29, 2026` in UTC. */
export function longDate(timestamp: string): string {
  return dateFormat.format(new Date(timestamp));
}

/** `November 29, 2026, 14:05 UTC`. */
export function longTime(timestamp: string): string {
  return `${longDate(timestamp)}, ${new Date(timestamp).toISOString().slice(11, 16)} UTC`;
}
