import { dateOf, fieldsOf, mapped, numberOf, offsetOfSeconds, textOf, type Fields } from '../mapping/read.ts';

/** Seconds of a duration such as `"123s"` or `"1.500s"`. Null for anything else. */
export function secondsOf(value: unknown): number | null {
  const [, seconds] = /^(-?\d+(?:\.\d+)?)s$/.exec(textOf(value) ?? '') ?? [];
  return seconds === undefined ? null : Number(seconds);
}

/** A UTC offset, which is a duration here: `"20700s"` is `+05:45`. */
export function offsetOfDuration(value: unknown): string | null {
  return mapped(secondsOf(value), offsetOfSeconds);
}

/** The calendar date of `{year, month, day}`, or null if it is invalid. */
export function dateOfParts(value: unknown): string | null {
  const { year, month, day } = fieldsOf(value);
  const date = dateOf([year, month, day].map((part) => String(numberOf(part)).padStart(2, '0')).join('-'));
  // February 30 would be parsed as another date.
  return date !== null && new Date(date).toISOString().startsWith(date) ? date : null;
}

/** A calendar date as `{year, month, day}`. */
export function partsOfDate(date: string): { year: number; month: number; day: number } {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return { year, month, day };
}

/** The value of a point, which is under the name of its type in camelCase. */
export function valueOf(type: string, point: unknown): Fields {
  return fieldsOf(fieldsOf(point)[keyOf(type)]);
}

/** The name of a type in filters. */
export function filterNameOf(type: string): string {
  return type.replaceAll('-', '_');
}

/** The id of a session: the end of its resource name, which merged points have as `dataPointName`. */
export function sessionIdOf(point: unknown): string | null {
  const { dataPointName, name } = fieldsOf(point);
  return textOf((textOf(dataPointName) ?? textOf(name))?.split('/').at(-1));
}

function keyOf(type: string): string {
  return type.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
