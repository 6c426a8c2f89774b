import type { Span } from '../../charts/heart-rate-data.ts';
import type { Samples } from '../../charts/reduce.ts';
import type { Score } from '../../charts/score-strip.tsx';
import type { Night } from '../../charts/sleep-bars.tsx';

/** A seeded generator, so that the sample data is the same for every screenshot comparison. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const day = 86_400;
const monday = Date.UTC(2026, 10, 9) / 1_000;
export const timeZone = 'Europe/Berlin';

export const nightSpans: Span[] = Array.from({ length: 4 }, (_, at) => [
  monday + at * day - 5_400,
  monday + at * day + 19_800,
]);

export const workouts = [
  { name: 'Ride', span: [monday + 34_200, monday + 37_800] as const },
  { name: 'Run', span: [monday + 2 * day + 61_200, monday + 2 * day + 64_200] as const },
];

/** Three days with a value every ten seconds, and a gap of an hour for charging. */
export function heartRate(): Samples {
  const random = noise(7);
  const times: number[] = [];
  const values: number[] = [];
  let drift = 0;
  for (let time = monday; time < monday + 3 * day; time += 10) {
    if ((time - monday) % day > 70_000 && (time - monday) % day < 74_000) continue;
    drift += (random() - 0.5) * 3 - drift * 0.02;
    times.push(time);
    values.push(Math.round(restOf(time) + drift + (random() - 0.5) * 9));
  }
  return { times, values, gapSeconds: 120 };
}

function restOf(time: number): number {
  if (workouts.some(({ span: [from, to] }) => time > from && time < to)) return 148;
  if (nightSpans.some(([from, to]) => time > from && time < to)) return 51;
  return 74;
}

export function nights(): Night[] {
  const random = noise(3);
  return Array.from({ length: 14 }, (_, at) => ({
    date: new Date((monday + (at - 10) * day) * 1_000).toISOString().slice(0, 10),
    from: '22:35',
    to: '06:11',
    deep: Math.round(60 + random() * 40),
    light: Math.round(190 + random() * 70),
    rem: Math.round(75 + random() * 40),
    awake: Math.round(12 + random() * 30),
  }));
}

function walk(seed: number, start: number): number[] {
  const random = noise(seed);
  let value = start;
  return Array.from(
    { length: 21 },
    () => (value = Math.min(98, Math.max(8, value + (random() - 0.48) * 12))),
  );
}

const score = (key: string, label: string, band: string, seed: number, isBetterHigher: boolean): Score => {
  const history = walk(seed, 50 + seed);
  return {
    key,
    label,
    band,
    isBetterHigher,
    history,
    value: history.at(-1)!,
    change: history.at(-1)! - history.at(-2)!,
  };
};

const recovery = { value: 69.9, change: 11.7, history: [...walk(4, 40).slice(0, 19), 58.2, 69.9] };

export const scores: Score[] = [
  { ...score('recovery', 'Recovery', 'High', 4, true), ...recovery },
  score('sleep', 'Sleep', 'Very good', 22, true),
  score('strain', 'Strain', 'Moderate', 11, false),
  score('stress', 'Stress', 'Low', 2, false),
  { ...score('energy', 'Energy reserve', 'Not enough data', 9, true), value: null, change: null },
];

export const hourly = Array.from({ length: 24 }, (_, at) =>
  Math.round(40 + 35 * Math.sin((at - 6) / 3.4) + (at % 5) * 4),
);
export const days = Array.from({ length: 30 }, (_, at) => ({
  date: new Date((monday + (at - 25) * day) * 1_000).toISOString().slice(0, 10),
  share: at === 12 || at === 13 ? null : 0.2 + ((at * 7) % 9) / 11,
}));

export interface StoryUser {
  id: string;
  reference: string;
  state: 'Active' | 'Not syncing' | 'Deleting';
  devices: number;
  syncedAt: string;
}

export const users: StoryUser[] = Array.from({ length: 400 }, (_, at) => ({
  id: `user_01jcqz4w5ve9prdk6r9f4v${String(at).padStart(4, '0')}`,
  reference: `customer-${1_042 + at}`,
  state: at % 7 === 3 ? 'Not syncing' : at % 31 === 30 ? 'Deleting' : 'Active',
  devices: (at * 5) % 4,
  syncedAt: new Date(Date.now() - (at * 47 + 2) * 60_000).toISOString(),
}));
