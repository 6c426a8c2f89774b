import type { SleepItem } from '../reference/uploads.ts';
import { iso, type Diary, type Scene } from './diary.ts';

const minuteMs = 60_000;

/** A sleep as it happened, in whole minutes. */
interface Sleep {
  startMs: number;
  minutes: number;
}

/** The night that ends on a day, and a nap on some days. */
export function sleepsOf({ random, day }: Scene): { night: Sleep | null; nap: Sleep | null } {
  const startMs = day.startMs + random.int(-150, 60) * minuteMs;
  return {
    night: random.chance(0.93) ? { startMs, minutes: random.int(300, 560) } : null,
    nap: random.chance(0.2)
      ? { startMs: day.startMs + random.int(12 * 60, 17 * 60) * minuteMs, minutes: random.int(25, 220) }
      : null,
  };
}

/** A device records the whole night, a part of it, or two parts. */
export function addNight(diary: Diary, { day }: Scene, { startMs, minutes }: Sleep): void {
  const { random } = diary;
  const style = random.weighted([
    [6, 'whole'],
    [2, 'dead battery'],
    [1, 'late'],
    [1, 'two parts'],
    [2, 'none'],
  ]);
  const from = startMs + random.int(-15, 20) * minuteMs;
  const length = minutes + random.int(-20, 20);
  if (style === 'whole') addSession(diary, day.endMs, from, length);
  if (style === 'dead battery') addSession(diary, day.endMs, from, random.int(30, 150));
  if (style === 'late')
    addSession(diary, day.endMs, from + Math.floor(length * 0.45) * minuteMs, Math.ceil(length * 0.55));
  if (style !== 'two parts') return;
  const first = random.int(80, 150);
  addSession(diary, day.endMs, from, first);
  addSession(diary, day.endMs, from + (first + 20) * minuteMs, length - first - 20);
}

export function addNap(diary: Diary, { day }: Scene, { startMs, minutes }: Sleep): void {
  addSession(diary, day.endMs, startMs + diary.random.int(-5, 5) * minuteMs, minutes);
}

function addSession(diary: Diary, atMs: number, startMs: number, minutes: number): void {
  const { random } = diary;
  const id = diary.newId('sleep');
  const session = { id, start: iso(startMs), end: iso(startMs + minutes * minuteMs) };
  const item: SleepItem = { ...session, ...describe(diary, startMs, minutes) };
  diary.add(atMs, 'sleep', item);
  const laterMs = atMs + random.int(1, 150) * 3_600_000;
  if (random.chance(0.04)) diary.add(laterMs, 'deletions', { kind: 'sleep', id });
  else if (random.chance(0.08))
    diary.add(laterMs, 'sleep', { ...session, ...describe(diary, startMs, minutes) });
}

/** Stages, minutes, minutes asleep only, nothing, or minutes that the session cannot hold. */
function describe({ random }: Diary, startMs: number, minutes: number): Partial<SleepItem> {
  const style = random.weighted([
    [5, 'stages'],
    [3, 'minutes'],
    [3, 'asleep'],
    [1, 'nothing'],
    [0.4, 'impossible'],
  ]);
  const asleep = Math.floor(minutes * 0.9);
  const deep = Math.floor(asleep * 0.2);
  const rem = Math.floor(asleep * 0.25);
  if (style === 'stages') return { stages: stagesOf(startMs, minutes, random.int(1, 5)) };
  if (style === 'minutes') return { minutes: { asleep, deep, rem, light: asleep - deep - rem } };
  if (style === 'asleep') return { minutes: { asleep } };
  return style === 'impossible' ? { minutes: { asleep: minutes + 60 } } : {};
}

function stagesOf(startMs: number, minutes: number, cycles: number): NonNullable<SleepItem['stages']> {
  const names = ['light', 'deep', 'light', 'rem', 'awake'];
  const length = Math.floor(minutes / (cycles * names.length));
  return Array.from({ length: cycles * names.length }, (_, at) => ({
    stage: names[at % names.length]!,
    start: iso(startMs + at * length * minuteMs),
    end: iso(startMs + (at + 1) * length * minuteMs),
  }));
}
