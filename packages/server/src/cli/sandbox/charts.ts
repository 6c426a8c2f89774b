import { missing } from './text.ts';

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * A line of blocks whose heights represent values between two bounds above 0. Each step up is the same ratio, so that an hour of exercise
 * does not flatten the rest of the day.
 */
export function sparkline(values: readonly (number | null)[], low: number, high: number): string {
  const whole = Math.log(high / low) || 1;
  return values
    .map((value) => {
      if (value === null) return missing;
      const level = Math.floor((Math.log(value / low) / whole) * levels.length);
      return levels[Math.min(levels.length - 1, Math.max(0, level))];
    })
    .join('');
}

/** One value for every few in a row: the mean of the existing ones. */
export function thinOut(values: readonly (number | null)[], few: number): (number | null)[] {
  return Array.from({ length: Math.ceil(values.length / few) }, (_, at) => {
    const there = values.slice(at * few, (at + 1) * few).filter((value) => value !== null);
    return there.length === 0 ? null : there.reduce((sum, value) => sum + value, 0) / there.length;
  });
}

/** The characters of a bar: a whole cell, and the halves that it may begin and end with. */
interface Stroke {
  whole: string;
  left: string;
  right: string;
}

export const heavy: Stroke = { whole: '━', left: '╸', right: '╺' };
export const light: Stroke = { whole: '─', left: '╴', right: '╶' };

/** A text and the cell of a line at which it begins. */
interface Placed {
  at: number;
  text: string;
}

/** A bar between two positions, counted in cells: exact to half a cell, and never shorter than that. */
export function barBetween(from: number, to: number, { whole, left, right }: Stroke): Placed {
  const start = Math.round(from * 2);
  const end = Math.max(start + 1, Math.round(to * 2));
  const wholeCells = Math.floor(end / 2) - Math.ceil(start / 2);
  const first = start % 2 === 0 ? '' : right;
  const last = end % 2 === 0 ? '' : left;
  return { at: Math.floor(start / 2), text: first + whole.repeat(wholeCells) + last };
}

/** A bar from the left edge. */
export function bar(cells: number): string {
  return barBetween(0, cells, heavy).text;
}

/** A line of the given number of cells with texts in it. Text that does not fit is cut. */
export function lineOf(cells: number, texts: readonly Placed[]): string {
  const line = Array.from({ length: cells }, () => ' ');
  for (const { at, text } of texts)
    for (const [offset, sign] of Array.from(text).entries())
      if (at + offset >= 0 && at + offset < cells) line[at + offset] = sign;
  return line.join('');
}

/** The hours above a chart, each where it begins; hours below 0 belong to the previous evening. */
export function hourLine(cells: number, fromHour: number, toHour: number): string {
  const span = toHour - fromHour;
  const every = span <= 16 ? 2 : 4;
  const labels: Placed[] = [];
  for (let hour = Math.ceil(fromHour / every) * every; hour < toHour; hour += every)
    labels.push({
      at: Math.round(((hour - fromHour) / span) * cells),
      text: String((hour + 24) % 24).padStart(2, '0'),
    });
  return lineOf(cells, labels);
}
