import { addDays } from '../document-id.ts';
import { wallClockAt } from '../local-time.ts';
import type { PlacedPoint } from './batches/batches.ts';
import type { DataType } from './batches/data-types.ts';
import { GoogleRefusal } from './refusal.ts';

/** Which points match, and the dates that can have such points. */
export interface Filter {
  matches: (point: PlacedPoint) => boolean;
  firstDate: string | null;
  lastDate: string | null;
}

type Read = (point: PlacedPoint) => string | number;

const physical = (read: (point: PlacedPoint) => number): Member => ({
  read,
  parse: (text) => (/T.*(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN),
});
const civil = (read: (point: PlacedPoint) => number): Member => ({
  read: (point) => wallClockAt(read(point), point.timezone),
  parse: (text) => (/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/.test(text) ? text : Number.NaN),
});
const started = ({ start }: PlacedPoint): number => start;
const ended = ({ end }: PlacedPoint): number => end;

interface Member {
  read: Read;
  parse: (text: string) => string | number;
}

/** Parses `steps.interval.start_time >= "…" AND steps.interval.start_time < "…"`. Each type accepts only its own members. */
export function parseFilter(type: DataType, text: string | undefined): Filter {
  const members = membersOf(type);
  const tests: ((point: PlacedPoint) => boolean)[] = [];
  let firstDate: string | null = null;
  let lastDate: string | null = null;
  for (const term of text?.split(/\s+AND\s+/) ?? []) {
    const [, name = '', operator, value = ''] = /^\s*([\w.]+)\s*(>=|<)\s*"([^"]+)"\s*$/.exec(term) ?? [];
    if (!operator)
      throw new GoogleRefusal(400, 'Invalid filter. Join comparisons that use >= and < with AND.');
    const member = members[name];
    if (!member)
      throw new GoogleRefusal(
        400,
        `${type.name} cannot be filtered by ${name}. Use ${Object.keys(members).join(' or ')}.`,
        'INVALID_DATA_POINT_FILTER_DATA_TYPE_MEMBER',
      );
    const bound = member.parse(value);
    const near = Date.parse(value.slice(0, 10));
    if (Number.isNaN(bound) || Number.isNaN(near))
      throw new GoogleRefusal(400, `"${value}" is not a valid time for ${name}.`);
    const date = new Date(near).toISOString().slice(0, 10);
    // Time zones differ by up to a day, and a sleep may belong to the next date.
    if (operator === '>=') firstDate = latest(firstDate, addDays(date, -2));
    else lastDate = earliest(lastDate, addDays(date, 2));
    tests.push((point) => (operator === '>=' ? member.read(point) >= bound : member.read(point) < bound));
  }
  return { matches: (point) => tests.every((test) => test(point)), firstDate, lastDate };
}

function membersOf({ name, filterName, shape }: DataType): Record<string, Member> {
  const interval = `${filterName}.interval`;
  if (name === 'sleep')
    return { [`${interval}.end_time`]: physical(ended), [`${interval}.civil_end_time`]: civil(ended) };
  // Whether exercises also accept the start_time of other intervals is unknown.
  if (name === 'exercise') return { [`${interval}.civil_start_time`]: civil(started) };
  if (shape === 'daily')
    return {
      [`${filterName}.date`]: {
        read: ({ date }) => date,
        parse: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN),
      },
    };
  if (shape === 'sample')
    return {
      [`${filterName}.sample_time.physical_time`]: physical(started),
      [`${filterName}.sample_time.civil_time`]: civil(started),
    };
  return {
    [`${interval}.start_time`]: physical(started),
    [`${interval}.civil_start_time`]: civil(started),
  };
}

function latest(one: string | null, other: string): string {
  return one !== null && one > other ? one : other;
}

function earliest(one: string | null, other: string): string {
  return one !== null && one < other ? one : other;
}
