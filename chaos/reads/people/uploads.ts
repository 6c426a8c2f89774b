import { findMetric, type Metric } from '@tributary/domain';
import type { Random } from '@tributary/rig';
import { acceptedMetrics } from './accepted-metrics.ts';
import { daysOfLife, dayMs, type Persona, type PersonDevice } from './personas.ts';

const minuteMs = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();
const named = (...ids: string[]) => ids.map((id) => findMetric(id)!);
const counted = named('steps', 'steps', 'active_calories', 'distance', 'exercise', 'resting_energy');
const dense = named(
  'heart_rate',
  'heart_rate',
  'heart_rate_variability',
  'heart_rate_variability_rmssd',
  'blood_oxygen',
  'blood_glucose',
  'steps',
);
/** Metrics that others are derived from. */
const parts = named(
  'active_calories',
  'resting_energy',
  'total_energy',
  'dietary_energy',
  'blood_pressure_systolic',
  'blood_pressure_diastolic',
  'height',
  'waist_circumference',
  'deep_sleep',
  'REM',
  'heart_rate_max',
  'steps',
);
const weighed = named('weight', 'weight', 'body_fat_percentage', 'body_fat_percentage', 'bone_mass');
const otherUnits: Record<string, string> = {
  weight: 'lb',
  distance: 'mi',
  blood_glucose: 'mg/dL',
  body_temperature: '°F',
  height: 'in',
  active_calories: 'kJ',
  water: 'L',
};
const sports = ['running', 'trail_running', 'cycling', 'swimming', 'walking', 'hiking', 'yoga', 'rowing'];
const stages = ['awake', 'light', 'light', 'deep', 'rem', 'asleep', 'in_bed'];
const sleepVitals = [
  ['sleep_heart_rate', 45, 70],
  ['sleep_heart_rate_variability', 20, 90],
  ['sleep_skin_temperature', 32, 36],
  ['sleep_blood_oxygen', 92, 99],
] as const;

/** A random upload of one device. Sessions and records share few ids, so that uploads correct one another. */
export function uploadOf(random: Random, persona: Persona, device: PersonDevice): object {
  const few = <T>(most: number, make: () => T | T[]) =>
    Array.from({ length: random.int(0, most) }, make).flat() as T[];
  const { provider, id, kind } = device;
  const deletions = few(1, () => ({
    kind: random.pick(['record', 'sleep', 'workout']),
    id: `r-${random.int(0, 3)}`,
  }));
  return {
    batch_id: random.uuid(),
    // Few creation times, so that ties between devices and between readings are common.
    created_at: createdAt(random, persona),
    device: { provider, id, kind: random.chance(0.04) ? 'other' : kind },
    series: few(2, () => series(random, persona)),
    records: [
      ...few(2, () => walk(random, persona)),
      ...few(6, () => record(random, persona)),
      ...few(1, () => weighIn(random, persona)),
    ],
    daily: few(12, () => total(random, persona)),
    sleep: few(2, () => sleep(random, persona)),
    workouts: few(2, () => workout(random, persona)),
    ...(random.chance(0.3) ? { deletions } : {}),
  };
}

/** Most uploads are later than all data. The others make totals that end before the day does. */
function createdAt(random: Random, { firstMs }: Persona): string {
  if (random.chance(0.7)) return `2026-11-0${random.int(1, 4)}T00:00:00Z`;
  return iso(firstMs + random.int(1, 4) * dayMs + dayMs / 2);
}

/** A random time on a whole step of minutes, mostly at or soon after one of the user's few moments. */
function someTime(random: Random, { firstMs, momentsMs }: Persona, stepMinutes: number): number {
  if (random.chance(0.75)) return random.pick(momentsMs) + random.pick([0, 0, 1, 2]) * stepMinutes * minuteMs;
  const steps = (daysOfLife * dayMs) / (stepMinutes * minuteMs);
  return firstMs + random.int(0, steps - 1) * stepMinutes * minuteMs;
}

/** A plausible value with up to three decimals. */
function valueOf(random: Random, { min, max }: Metric, most = max): number {
  const [low, high] = [Math.max(min, Math.min(most, min + (most - min) * 0.1)), min + (most - min) * 0.6];
  const value = low + random.next() * (high - low);
  const decimals = random.pick([0, 0, 1, 3]);
  const short = Number(value.toFixed(decimals));
  return short >= low && short <= high ? short : Number(value.toFixed(6));
}

/** A metric that the user is interested in, one that others are derived from, or any metric. */
function someMetric(random: Random, { interests }: Persona): Metric {
  if (random.chance(0.6)) return findMetric(random.pick(interests))!;
  return random.pick(random.chance(0.7) ? parts : acceptedMetrics);
}

function series(random: Random, persona: Persona): object {
  const metric = random.pick(dense);
  const most = metric.maxPerMinute === null ? metric.max : metric.maxPerMinute / 5;
  return {
    metric: metric.id,
    start: iso(someTime(random, persona, 5) + random.pick([0, 0, 7_000, 500])),
    interval_seconds: random.pick([5, 20, 60, 90, 600, 3600]),
    values: Array.from({ length: random.int(2, 40) }, () => valueOf(random, metric, most)),
  };
}

/** Consecutive intervals of a counted metric, with gaps and overlaps. */
function walk(random: Random, persona: Persona): object[] {
  const metric = random.pick(counted);
  let atMs = someTime(random, persona, 10);
  return Array.from({ length: random.int(2, 12) }, () => {
    const minutes = random.pick([0, 1, 3, 10, 10, 30]);
    const startMs = atMs;
    atMs += Math.max(1, minutes + random.int(-4, 12)) * minuteMs;
    return {
      metric: metric.id,
      start: iso(startMs),
      end: iso(startMs + minutes * minuteMs),
      value: random.chance(0.15)
        ? 0
        : valueOf(random, metric, metric.maxPerMinute! * Math.max(1, minutes) * 0.5),
    };
  });
}

function record(random: Random, persona: Persona): object {
  const metric = someMetric(random, persona);
  const minutes = random.pick([0, 0, 0, 1, 15, 15, 700]);
  const startMs = someTime(random, persona, 30);
  const perMinute = metric.maxPerMinute ?? metric.max;
  const most = metric.aggregation === 'sum' ? Math.min(metric.max / 20, perMinute) : metric.max;
  return {
    metric: metric.id,
    start: iso(startMs),
    end: iso(startMs + minutes * minuteMs),
    ...inSomeUnit(random, metric, isZero(random, metric) ? 0 : valueOf(random, metric, most)),
    ...(random.chance(0.3) ? { id: `r-${random.int(0, 3)}` } : {}),
  };
}

/** Whether a count is 0, as devices report it that are not worn. */
function isZero(random: Random, { aggregation, min }: Metric): boolean {
  return aggregation === 'sum' && min === 0 && random.chance(0.15);
}

/** Values of one or two weigh-ins, some of which arrive a little later than others. */
function weighIn(random: Random, persona: Persona): object[] {
  const startMs = someTime(random, persona, 60);
  return weighed
    .filter(() => random.chance(0.6))
    .map((metric) => {
      const start = iso(startMs + random.pick([0, 0, 4, 10, 11, 300]) * minuteMs);
      return { metric: metric.id, start, end: start, value: valueOf(random, metric) };
    });
}

function total(random: Random, persona: Persona): object {
  const metric = someMetric(random, persona);
  const date = iso(persona.firstMs + random.pick([1, 2, 3]) * dayMs).slice(0, 10);
  const value = isZero(random, metric) ? 0 : valueOf(random, metric);
  return { metric: metric.id, date, ...inSomeUnit(random, metric, value) };
}

/** Occasionally uses another unit. The service rejects values that become implausible, which is fine here. */
function inSomeUnit(random: Random, metric: Metric, value: number): { value: number; unit?: string } {
  const unit = otherUnits[metric.id];
  return unit !== undefined && random.chance(0.4) ? { value, unit } : { value };
}

function sleep(random: Random, persona: Persona): object {
  const isNap = random.chance(0.3);
  const startMs = someTime(random, persona, isNap ? 30 : 120) + random.pick([0, 0, 30_000]);
  const minutes = isNap ? random.int(15, 130) : random.int(180, 600);
  const at = (minute: number) => iso(startMs + Math.min(minutes, minute) * minuteMs);
  const staged: object[] = [];
  if (random.chance(0.6)) {
    if (random.chance(0.4)) staged.push({ stage: 'in_bed', start: at(0), end: at(minutes) });
    for (let minute = random.pick([0, 0, 12]); minute < minutes;) {
      const length = random.int(3, 70);
      // Some stages overlap the previous one or leave a gap.
      const from = Math.max(0, minute - (random.chance(0.1) ? 5 : 0));
      staged.push({ stage: random.pick(stages), start: at(from), end: at(minute + length) });
      minute += length + (random.chance(0.1) ? 4 : 0);
    }
  }
  const asleep = Math.floor(minutes * 0.9);
  const reportedMinutes: Record<string, number> = {};
  if (random.chance(0.5)) reportedMinutes['asleep'] = asleep;
  if (random.chance(0.3)) reportedMinutes['in_bed'] = minutes;
  if (random.chance(0.3)) Object.assign(reportedMinutes, { deep: 60.5, light: random.int(60, 200), rem: 75 });
  return {
    id: `r-${random.int(0, 3)}`,
    start: at(0),
    end: at(minutes),
    ...(staged.length > 0 ? { stages: staged } : {}),
    minutes: reportedMinutes,
    vitals: Object.fromEntries(
      sleepVitals
        .filter(() => random.chance(0.4))
        .map(([id, low, high]) => [id, Number((low + random.next() * (high - low)).toFixed(2))]),
    ),
  };
}

function workout(random: Random, persona: Persona): object {
  const shownMs = someTime(random, persona, 60) + random.pick([0, 0, 0, 1, 2, 3]) * minuteMs;
  const offsetHours = random.pick([null, null, 2, -5]);
  const midnightMs = Math.floor(shownMs / dayMs) * dayMs - (offsetHours ?? 0) * 60 * minuteMs;
  // Some sources hide the start.
  const startMs = random.chance(0.15) ? midnightMs + 1000 : shownMs;
  const minutes = random.pick([20, 45, 60, 60, 62, 90, 200]);
  const values: Record<string, number> = {};
  // Few distances, so that two recordings of one workout are common.
  if (random.chance(0.8))
    values['distance'] = random.chance(0.6) ? random.pick([5, 5.04, 5.14, 8]) : random.int(1, 120) / 10;
  if (random.chance(0.7)) values['active_calories'] = random.int(50, 9_000) / 10;
  if (random.chance(0.3)) values['heart_rate_avg'] = random.int(90, 160);
  if (random.chance(0.3)) values['duration'] = minutes - 3.5;
  if (random.chance(0.3)) values['elevation_gain'] = random.int(0, 900);
  const hasTrace = random.chance(0.4);
  return {
    id: `r-${random.int(0, 3)}`,
    sport_type: random.pick(sports),
    start: iso(startMs),
    end: iso(startMs + minutes * minuteMs),
    ...(offsetHours === null ? {} : { utc_offset: offsetHours === 2 ? '+02:00' : '-05:00' }),
    values,
    ...(hasTrace
      ? {
          heart_rate: {
            start: iso(startMs),
            interval_seconds: random.pick([5, 30, 120]),
            values: Array.from({ length: random.int(1, 60) }, () => random.int(800, 1_900) / 10),
          },
        }
      : {}),
  };
}
