import type { Random } from '@tributary/rig';

const dayMs = 86_400_000;
const first = Date.UTC(2022, 0, 1);
const days = 1_000;
const sampled = [
  'heart_rate',
  'resting_heart_rate',
  'heart_rate_variability',
  'heart_rate_variability_rmssd',
  'respiratory_rate',
  'blood_oxygen',
];
const counted = ['steps', 'distance', 'active_calories', 'floors_climbed', 'exercise_time'];

const device = (at: number, kind = 'watch') => ({ provider: 'apple_health', id: `device-${at}`, kind });
const time = (day: number, ms: number) => new Date(first + day * dayMs + ms).toISOString();

/** Most uploads are of medium size, and some as large as allowed. */
export function sizeOf(random: Random, isShort: boolean): number {
  if (isShort) return random.int(300, 1_000);
  return random.chance(0.1) ? 20_000 : random.int(500, 4_000);
}

/** Bodies of uploads within all limits that need as much work as possible for their number of values. */
export const worstCases: readonly ((at: number, random: Random, size: number) => object)[] = [
  /** One reading of each of many metrics on each of many days, of a new device. */
  function spread(at, random, size) {
    const records = Array.from({ length: size }, (_, index) => ({
      metric: sampled[index % sampled.length]!,
      start: time(index % days, ((index * 7) % 24) * 3_600_000),
      value: random.int(12, 20),
    }));
    return { device: device(at), records };
  },
  /** Intervals of a day and more that overlap those of other devices of the store, which are merged over time. */
  function overlap(at, random, size) {
    const records = Array.from({ length: size }, (_, index) => {
      const day = index % days;
      const startMs = random.int(0, dayMs - 1);
      return {
        metric: counted[index % counted.length]!,
        start: time(day, startMs),
        end: time(day, startMs + random.int(60_000, 47 * 3_600_000)),
        value: 1,
      };
    });
    return { device: device(at % 20, at % 2 === 0 ? 'watch' : 'phone'), records };
  },
  /** Sleep sessions and workouts that all overlap, so that each is decided together with all others. */
  function chain(at, random, size) {
    const sleep = Array.from({ length: Math.min(500, size / 5) }, (_, index) => ({
      id: `sleep-${at}-${index}`,
      start: time(index, 0),
      end: time(index, 23.9 * 3_600_000),
    }));
    const workouts = Array.from({ length: Math.min(500, size / 5) }, (_, index) => ({
      id: `workout-${at}-${index}`,
      sport_type: 'running',
      start: time(index, random.int(0, dayMs / 2)),
      end: time(index + 1, 60_000),
    }));
    return { device: device(at % 10), sleep, workouts };
  },
  /** Records with ids, which later uploads move and delete. */
  function records(_at, random, size) {
    const list = Array.from({ length: size }, (_, index) => ({
      metric: counted[random.int(0, counted.length - 1)]!,
      start: time(random.int(0, days - 1), random.int(0, dayMs - 1)),
      value: 1,
      id: `record-${index}`,
    }));
    return { device: device(0), records: list };
  },
  /** Deletes records of all those uploads. */
  function deletions(_at, _random, size) {
    const list = Array.from({ length: size }, (_, index) => ({
      kind: 'record',
      id: `record-${index}`,
    }));
    return { device: device(0), deletions: list };
  },
  /** Totals, and a device whose kind changes and with it the rank on all days. */
  function ranks(at, random, size) {
    const daily = Array.from({ length: size }, (_, index) => ({
      metric: counted[Math.floor(index / days) % counted.length]!,
      date: time(index % days, 0).slice(0, 10),
      value: random.int(0, 50),
    }));
    return { device: device(0, at % 4 < 2 ? 'ring' : 'watch'), daily };
  },
];
