import { iso, type Diary, type Scene, type Wear } from './diary.ts';

const minuteMs = 60_000;

/** Heart rate while the device is worn, with a dense minute now and then. */
export function addHeart(diary: Diary, { day }: Scene, wear: Wear): void {
  const { random } = diary;
  if (wear === 'gap' || wear === 'unworn') return;
  const minutes = (day.endMs - day.startMs) / minuteMs;
  const from = wear === 'worn' ? random.int(0, 60) : random.int(60, minutes - 400);
  const length = { worn: minutes - from - random.int(0, 90), partly: random.int(120, 390), briefly: 10 }[
    wear
  ];
  const step = wear === 'briefly' ? 2 : random.pick([5, 10, 15]);
  const values = Array.from({ length: Math.max(1, Math.floor(length / step)) }, () =>
    random.int(48, wear === 'briefly' ? 150 : 110),
  );
  // Every reading ends at a multiple of its length: a slot of 15 minutes counts twice if a reading lasts beyond four hours UTC.
  const startMs = Math.ceil((day.startMs + from * minuteMs) / (step * minuteMs)) * step * minuteMs;
  diary.add(day.endMs, 'series', {
    metric: 'heart_rate',
    start: iso(startMs),
    interval_seconds: step * 60,
    values,
  });
  if (random.chance(0.3)) {
    const burstMs = day.startMs + random.int(0, minutes - 3) * minuteMs + 7000;
    const burst = Array.from({ length: 22 }, () => random.int(60, 170));
    diary.add(day.endMs, 'series', {
      metric: 'heart_rate',
      start: iso(burstMs),
      interval_seconds: 5,
      values: burst,
    });
  }
  if (random.chance(0.5)) addResting(diary, day.date, day.endMs, startMs);
}

function addResting(diary: Diary, date: string, atMs: number, startMs: number): void {
  const value = diary.random.int(45, 70);
  if (diary.random.chance(0.7)) diary.add(atMs, 'daily', { metric: 'resting_heart_rate', date, value });
  else diary.add(atMs, 'records', { metric: 'resting_heart_rate', start: iso(startMs), value });
}

export function addVariability(diary: Diary, { day }: Scene, wear: Wear): void {
  const { random } = diary;
  if (wear === 'gap' || wear === 'unworn') return;
  for (const minute of minutesOf(diary, wear === 'worn' ? random.int(3, 14) : 1, 0, 420)) {
    const id = random.chance(0.2) ? diary.newId('hrv') : null;
    const reading = {
      metric: 'heart_rate_variability_rmssd',
      value: random.int(20, 110),
      ...(id ? { id } : {}),
    };
    const startMs = day.startMs + minute * minuteMs;
    diary.add(day.endMs, 'records', { ...reading, start: iso(startMs) });
    if (id === null) continue;
    const laterMs = day.endMs + random.int(1, 150) * 3_600_000;
    if (random.chance(0.3)) diary.add(laterMs, 'deletions', { kind: 'record', id });
    else
      diary.add(laterMs, 'records', {
        ...reading,
        value: reading.value + 3,
        start: iso(startMs + 3_600_000 * random.int(-9, 9) + 7_000),
      });
  }
}

/** Readings of a cuff, and now and then a contradiction that the service rejects. */
export function addPressure(diary: Diary, { day }: Scene): void {
  const { random } = diary;
  for (const minute of minutesOf(
    diary,
    random.weighted([
      [3, 0],
      [4, 1],
      [2, 2],
    ]),
    360,
    1300,
  )) {
    const start = iso(day.startMs + minute * minuteMs);
    const isHalf = random.chance(0.25);
    const systolic = { metric: 'blood_pressure_systolic', start, value: random.int(100, 165) };
    const diastolic = { metric: 'blood_pressure_diastolic', start, value: random.int(55, 95) };
    if (!isHalf && random.chance(0.05)) systolic.value = diastolic.value - 3;
    diary.add(day.endMs, 'records', systolic);
    if (!isHalf) diary.add(day.endMs, 'records', diastolic);
  }
}

/** Weigh-ins, with or without body fat. */
export function addWeighIn(diary: Diary, { day }: Scene): void {
  const { random } = diary;
  const first = random.int(300, 600);
  const minutes = [first, first + 20 + random.int(0, 400)];
  for (const minute of minutes.slice(
    0,
    random.weighted([
      [4, 0],
      [5, 1],
      [2, 2],
    ]),
  )) {
    const start = iso(day.startMs + minute * minuteMs);
    diary.add(day.endMs, 'records', { metric: 'weight', start, value: random.int(6000, 9000) / 100 });
    if (random.chance(0.55))
      diary.add(day.endMs, 'records', {
        metric: 'body_fat_percentage',
        start,
        value: random.int(120, 300) / 10,
      });
  }
}

/** Distinct minutes of a day. */
function minutesOf({ random }: Diary, count: number, from: number, to: number): Set<number> {
  return new Set(Array.from({ length: count }, () => random.int(from, to)));
}
