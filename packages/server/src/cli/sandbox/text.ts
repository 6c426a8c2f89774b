import { dayMs, type DayNumber } from '@tributary/domain';

/** Represents a missing value. */
export const missing = '·';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** `Mon Nov  9`, with a fixed width. */
export function shortDate(day: DayNumber): string {
  const date = new Date(day * dayMs);
  const month = months[date.getUTCMonth()]!.slice(0, 3);
  return `${shortWeekday(day)} ${month} ${String(date.getUTCDate()).padStart(2)}`;
}

export function shortWeekday(day: DayNumber): string {
  return weekdays[new Date(day * dayMs).getUTCDay()]!.slice(0, 3);
}

/** `Monday, November 9, 2026`. */
export function longDate(day: DayNumber): string {
  const date = new Date(day * dayMs);
  return `${weekdays[date.getUTCDay()]}, ${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** Minutes of a day as `07:05`. */
export function clock(minute: number): string {
  return [Math.floor(minute / 60), Math.floor(minute) % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** `7h05`. */
export function hours(minutes: number | null): string {
  if (minutes === null) return missing;
  const rounded = Math.round(minutes);
  return `${Math.floor(rounded / 60)}h${String(rounded % 60).padStart(2, '0')}`;
}

/** `12,345`. */
export function whole(value: number | null): string {
  return value === null ? missing : Math.round(value).toLocaleString('en');
}

export function tenths(value: number | null): string {
  return value === null ? missing : value.toFixed(1);
}

export function percent(value: number | null): string {
  return value === null ? missing : `${Math.round(value)}%`;
}

export function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
}

export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** User-supplied text without control characters for the terminal. */
export function harmless(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?');
}
