const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** "2 min ago", "in 9 days", or the date beyond a month. */
export function relativeTime(at: string | Date, now: Date = new Date()): string {
  const date = new Date(at);
  const seconds = Math.round((now.getTime() - date.getTime()) / 1_000);
  const length = Math.abs(seconds);
  if (length < 45) return seconds >= 0 ? 'just now' : 'in a moment';
  if (length > 30 * day) return shortDay(date, { now });
  const amount =
    length < hour
      ? `${Math.round(length / minute)} min`
      : length < day
        ? `${Math.round(length / hour)}h`
        : plural(Math.round(length / day), 'day');
  return seconds > 0 ? `${amount} ago` : `in ${amount}`;
}

/** "Nov 13", with the year if it is not the current one. */
export function shortDay(
  at: string | Date,
  { now = new Date(), timeZone }: { now?: Date; timeZone?: string } = {},
): string {
  const date = new Date(at);
  const otherYear = date.getFullYear() !== now.getFullYear();
  return format(date, {
    day: 'numeric',
    month: 'short',
    ...(otherYear && { year: 'numeric' }),
    ...(timeZone && { timeZone }),
  });
}

/** "Fri, Nov 13" for a calendar day without a time zone. */
export function weekday(date: string): string {
  return format(new Date(date), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
}

/** "Nov 13, 2026, 22:41:07" in the reader's time zone. */
export function dayAndTime(at: string | Date): string {
  return format(new Date(at), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
}

/** "6h 06m", or "42 min" below an hour. */
export function duration(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole < 60) return `${whole} min`;
  return `${Math.floor(whole / 60)}h ${String(whole % 60).padStart(2, '0')}m`;
}

export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${number(count)} ${count === 1 ? noun : nouns}`;
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** "14,208", with at most one decimal. */
export function number(value: number): string {
  return numbers.format(value);
}

/** "10,000+" if counting stopped there. */
export function countUpTo({ value, more }: { value: number; more: boolean }): string {
  return `${number(value)}${more ? '+' : ''}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formatters are cached, because creating one costs more than using it a thousand times. */
export function format(date: Date, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { hourCycle: 'h23', ...options });
  formats.set(key, known);
  return known.format(date);
}
