import type { Frame } from '../../provider.ts';
import { documentId } from '../document-id.ts';
import type { Life } from '../life.ts';
import { timesAround } from './times.ts';
import type { Reading, Upload } from './uploads.ts';
import { sessionOn, unitOf } from './wearer.ts';

const mgInMmol = 18.018;
const lowest = 40;
const highest = 400;

/** A record and the time by which it is filtered and sorted. */
export interface Placed {
  at: number;
  record: Record<string, unknown>;
}

/** The readings of some uploads of a date. A revision recalculates the value and keeps the id. */
export function egvsOf(frame: Frame, life: Life, date: string, uploads: readonly Upload[]): Placed[] {
  const person = life.person.id;
  const session = sessionOn(frame, life, date);
  const unit = unitOf(life);
  return uploads.flatMap(({ timezone, readings, seen }) => {
    const timeFieldsAt = timesAround(readings[0]!.at, timezone, session);
    return readings.map((reading) => {
      const { at } = reading;
      const record = {
        recordId: documentId(person, 'egv', date, String(at)),
        ...timeFieldsAt(at, frame.chance('short', person, at) < 0.05),
        transmitterId: session.transmitterId,
        transmitterTicks: (at - session.startedAt) / 1000,
        transmitterGeneration: 'g7',
        displayDevice: session.displayDevice,
        ...valueOf(reading.value + seen.revision, unit),
        ...trendOf(reading, unit),
      };
      return { at, record };
    });
  });
}

/** A value in its unit, clamped to the sensor's range. */
export function valueOf(mgPerDl: number, unit: 'mg/dL' | 'mmol/L'): Record<string, unknown> {
  const clampedMgPerDl = Math.min(highest, Math.max(lowest, mgPerDl));
  const status = mgPerDl < lowest ? 'low' : mgPerDl > highest ? 'high' : 'ok';
  return {
    value: unit === 'mg/dL' ? clampedMgPerDl : Math.round((10 * clampedMgPerDl) / mgInMmol) / 10,
    unit,
    status,
  };
}

/** The direction and the rate per minute. The thresholds between the trends are an assumption. */
export function trendOf({ value, before }: Reading, unit: 'mg/dL' | 'mmol/L'): Record<string, unknown> {
  const rateUnit = `${unit}/min`;
  if (before === null) return { trend: 'none', trendRate: null, rateUnit };
  const rate = (value - before.value) / 5;
  const scaled = unit === 'mg/dL' ? rate : rate / mgInMmol;
  return { trend: wordOf(rate), trendRate: Math.round(1000 * scaled) / 1000, rateUnit };
}

function wordOf(rate: number): string {
  const steepness = Math.min(3, Math.floor(Math.abs(rate)));
  if (Math.abs(rate) > 8) return 'rateOutOfRange';
  if (steepness === 0) return 'flat';
  return `${['fortyFive', 'single', 'double'][steepness - 1]}${rate > 0 ? 'Up' : 'Down'}`;
}
