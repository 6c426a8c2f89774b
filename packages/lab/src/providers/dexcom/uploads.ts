import type { Sample } from '../../world/people/day.ts';
import { addDays } from '../../world/people/local-time.ts';
import type { Frame, Visible } from '../../provider.ts';
import type { Life } from '../life.ts';
import { delayMs, firstDate } from './wearer.ts';

export interface Reading extends Sample {
  /** The value five minutes earlier, or null if there is none. */
  before: Sample | null;
}

/** A quarter of an hour of readings that are uploaded together. */
export interface Upload {
  timezone: string;
  readings: Reading[];
  seen: Visible;
}

const quarter = 900_000;
const hour = 3_600_000;

/** The uploads of a date that have arrived by now. Some arrive a day late, because the signal was lost and the gap is filled afterward. */
export function uploadsOf(frame: Frame, life: Life, date: string): Upload[] {
  if (date < firstDate || !life.person.wearsGlucoseSensor) return [];
  const { glucose, timezone } = life.dayOf(date);
  let before = glucose.length > 0 ? (life.dayOf(addDays(date, -1)).glucose.at(-1) ?? null) : null;
  const uploads = new Map<number, Reading[]>();
  for (const sample of glucose) {
    const start = Math.floor(sample.at / quarter) * quarter;
    const readings = uploads.get(start) ?? [];
    uploads.set(start, readings);
    const isNext = before !== null && sample.at - before.at === 300_000;
    readings.push({ ...sample, before: isNext ? before : null });
    before = sample;
  }
  return [...uploads].flatMap(([start, readings]) => {
    const document = { person: life.person.id, kind: 'glucose upload', key: `${date} ${start}` };
    const seen = frame.visible(document, start + delayMs(life) + gapMs(frame, life, start));
    return seen ? [{ timezone, readings, seen }] : [];
  });
}

/** The delay of a period without a signal. */
function gapMs(frame: Frame, { person }: Life, at: number): number {
  const stretch = Math.floor(at / (3 * hour));
  if (frame.chance('signal lost', person.id, stretch) >= 0.02) return 0;
  return 4 * hour + frame.chance('signal back', person.id, stretch) * 26 * hour;
}
