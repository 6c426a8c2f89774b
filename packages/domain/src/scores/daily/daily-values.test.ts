import { describe, expect, test } from 'vitest';
import { dayEndMs, dayStartMs, parseDay, type DayNumber } from '../../days.ts';
import { toMicros } from '../../samples/micros.ts';
import { PersonDays } from '../inputs/person-days.ts';
import { valuesWithScoresOn } from './daily-values.ts';
import { observedFactsOf } from './observed-facts.ts';

const monday = parseDay('2026-03-02')!;
const hourMs = 3_600_000;
const timezone = 'Europe/Berlin';

/** A span of a day in hours since midnight, with a value. */
type Piece = readonly [fromHour: number, toHour: number, value: number];

interface Observed {
  steps?: readonly Piece[];
  heartRate?: readonly Piece[];
  glucose?: readonly Piece[];
  /** The night, if not from 23:00 to 7:00. */
  nights?: readonly (readonly [fromHour: number, toHour: number, isMain: boolean])[];
}

const usualNights = [
  [-1, 7, true],
  [23, 31, true],
] as const;

function observedOn(day: DayNumber, { steps, heartRate, glucose, nights = usualNights }: Observed) {
  const startMs = dayStartMs(day, timezone);
  const span = (from: number, to: number) => ({
    startMs: startMs + from * hourMs,
    endMs: startMs + to * hourMs,
  });
  const pieces = (some: readonly Piece[] = []) =>
    some.map(([from, to, value]) => ({ ...span(from, to), micros: toMicros(value) }));
  return observedFactsOf({
    startMs,
    endMs: dayEndMs(day, timezone),
    steps: pieces(steps),
    heartRate: pieces(heartRate),
    glucose: pieces(glucose),
    sleep: nights.map(([from, to, isMain]) => ({ ...span(from, to), isMain })),
  });
}

function emptyDays(from: DayNumber, to: DayNumber, birthDay: DayNumber | null = null): PersonDays {
  const person = { birthDay, sex: null, weightKg: null, maxHeartRate: null, timezone };
  return new PersonDays(person, { from, to });
}

/** The values of one day. */
function valuesOf(observed: Observed, stepsOfDay: number | null = null, day = monday) {
  const days = emptyDays(day, day);
  days.set('steps', day, stepsOfDay);
  const facts = observedOn(day, observed);
  days.facts.set(day, {
    coveredMinutes: 0,
    awake: [],
    workouts: [],
    hrvKind: null,
    epochs: [],
    ...(facts && { observed: facts }),
  });
  return valuesWithScoresOn(days, day);
}

describe('active hours', () => {
  const hours = (steps: readonly Piece[], total: number, day = monday) =>
    valuesOf({ steps }, total, day)['active_hours'];

  test('count the hours with at least 250 steps', () => {
    const steps: Piece[] = [
      [8, 8.5, 250],
      [9, 9.5, 249],
      [10, 10.25, 100],
      [10.5, 10.75, 150],
      // Half of these steps belong to each hour.
      [12.5, 13.5, 500],
    ];
    expect(hours(steps, 1249)).toBe(4);
  });

  test('are unknown if only a total is known, or intervals are too long or too few', () => {
    expect(hours([], 9000)).toBeNull();
    expect(hours([[8, 16, 9000]], 9000)).toBeNull();
    expect(hours([[8, 9, 8000]], 9000)).toBeNull();
    expect(hours([[8, 9, 8100]], 9000)).toBe(1);
    expect(hours([[8, 9, 0]], 0)).toBe(0);
  });

  test('count from midnight on a day of 23 hours', () => {
    const shortDay = parseDay('2026-03-29')!;
    expect(hours([[22.5, 23, 300]], 300, shortDay)).toBe(1);
  });
});

describe('the longest inactive period', () => {
  const pulse: Piece[] = Array.from({ length: 24 }, (_, hour): Piece => [hour, hour + 1, 60]);
  const walk: Piece[] = Array.from({ length: 17 }, (_, at): Piece => [7 + at, 7.25 + at, 300]);
  const longest = (observed: Observed) => valuesOf(observed)['longest_inactivity'];

  test('is the longest run of awake quarters with a device in use and hardly any steps', () => {
    expect(longest({ heartRate: pulse, steps: walk })).toBe(45);
    const withoutNoon = walk.filter(([from]) => from !== 12 && from !== 13);
    expect(longest({ heartRate: pulse, steps: withoutNoon })).toBe(165);
    expect(longest({ heartRate: pulse, steps: [...withoutNoon, [12, 12.25, 39]] })).toBe(165);
    expect(longest({ heartRate: pulse, steps: [...withoutNoon, [12, 12.25, 40]] })).toBe(105);
  });

  test('ends where nothing shows that the device was in use', () => {
    const charging = pulse.filter(([from]) => from !== 13);
    const steps = walk.filter(([from]) => from < 12 || from > 14);
    expect(longest({ heartRate: charging, steps })).toBe(105);
  });

  test('is shown by intervals of zero steps, too', () => {
    const zeros: Piece[] = [...walk, ...walk.map(([from]): Piece => [from + 0.25, from + 1, 0])];
    expect(longest({ steps: zeros })).toBe(45);
  });

  test('is unknown without a main sleep, or if less than eight waking hours were observed', () => {
    expect(longest({ heartRate: pulse, steps: walk, nights: [] })).toBeNull();
    expect(longest({ heartRate: pulse, steps: walk, nights: [[13, 14, false]] })).toBeNull();
    expect(longest({ heartRate: pulse.filter(([from]) => from < 14), steps: [] })).toBeNull();
  });
});

describe('the dip of the heart rate at night', () => {
  const dip = (heartRate: readonly Piece[], nights: Observed['nights'] = usualNights) =>
    valuesOf({ heartRate, nights })['heart_rate_dip'];

  test('compares the means asleep and awake', () => {
    const day: Piece[] = [
      [0, 7, 60],
      [7, 23, 80],
      [23, 24, 60],
    ];
    expect(dip(day)).toBe(25);
    expect(dip([[0, 24, 60]])).toBe(0);
  });

  test('is negative if the heart rate rises', () => {
    expect(
      dip([
        [0, 7, 66],
        [7, 23, 60],
      ]),
    ).toBeCloseTo(-10, 9);
  });

  test('weights every quarter of an hour equally', () => {
    const spot: Piece[] = Array.from({ length: 64 }, (_, at): Piece => [7 + at / 4, 7.01 + at / 4, 80]);
    const minuteByMinute = spot.map(([from]): Piece => [from + 0.01, from + 0.25, 80]);
    expect(dip([[0, 7, 60], ...spot, ...minuteByMinute.slice(0, 4)])).toBeCloseTo(25, 9);
  });

  test('is unknown with less than two hours asleep or four awake, or outside its range', () => {
    expect(
      dip([
        [0, 1.75, 60],
        [7, 23, 80],
      ]),
    ).toBeNull();
    expect(
      dip([
        [0, 7, 60],
        [8, 11.75, 80],
      ]),
    ).toBeNull();
    expect(
      dip([
        [0, 7, 60],
        [7, 23, 190],
      ]),
    ).toBeNull();
    expect(dip([[0, 24, 60]], [])).toBeNull();
  });
});

describe('sleep need and debt', () => {
  /** Nights up to and including `monday`, oldest first. */
  function after(nights: readonly (number | null)[], birthDate: string | null = null) {
    const first = monday - nights.length + 1;
    const days = emptyDays(monday, monday, birthDate === null ? null : parseDay(birthDate));
    for (const [at, asleep] of nights.entries()) {
      days.set('asleep', first + at, asleep);
      days.set('sleep_midpoint', first + at, asleep === null ? null : 180);
    }
    const { sleep_need: need, sleep_debt: debt } = valuesWithScoresOn(days, monday);
    return { need, debt };
  }
  const nights = (count: number, minutes: number) => Array.from({ length: count }, () => minutes);

  test('is the middle of the recommended range until two weeks are known', () => {
    expect(after(nights(13, 500)).need).toBe(480);
    expect(after(nights(13, 500), '2012-06-01').need).toBe(600);
    expect(after(nights(13, 500), '1950-06-01').need).toBe(450);
  });

  test('is then the usual sleep within that range', () => {
    expect(after(nights(14, 500)).need).toBe(500);
    expect(after(nights(14, 300)).need).toBe(420);
    expect(after(nights(14, 700)).need).toBe(540);
    expect(after([...nights(30, 450), ...nights(29, 500)]).need).toBe(450);
  });

  test('adds up what nights lack, and long nights do not repay it', () => {
    expect(after([...nights(40, 480), ...nights(4, 420), ...nights(10, 600)]).debt).toBe(240);
    expect(after(nights(30, 450)).debt).toBe(0);
    // Only the last two weeks count.
    expect(after([...nights(40, 480), 300, ...nights(14, 480)]).debt).toBe(0);
  });

  test('does not count days without a night, and needs ten of them', () => {
    const gaps = [null, null, null, null];
    expect(after([...nights(40, 480), ...gaps, ...nights(9, 480), 470]).debt).toBe(10);
    expect(after([...nights(40, 480), ...gaps, null, ...nights(8, 480), 470]).debt).toBeNull();
  });

  test('are unknown on a day without a night', () => {
    expect(after([...nights(40, 480), null])).toEqual({ need: null, debt: null });
  });
});

describe('social jetlag', () => {
  /** Middles of sleep by weekday, Monday first, over some weeks that end on a Sunday. */
  function jetlag(weeks: readonly (readonly (number | null)[])[]) {
    const sunday = monday + 6;
    const first = sunday + 1 - weeks.length * 7;
    const days = emptyDays(sunday, sunday);
    weeks.flat().forEach((midpoint, at) => {
      days.set('sleep_midpoint', first + at, midpoint);
      days.set('asleep', first + at, midpoint === null ? null : 480);
    });
    return valuesWithScoresOn(days, sunday)['social_jetlag'];
  }
  const week = [180, 180, 180, 180, 180, 270, 270];

  test('is the difference between the weekend and work days', () => {
    expect(jetlag([week, week])).toBe(90);
    expect(jetlag([week.map((midpoint) => -midpoint), week.map((midpoint) => -midpoint)])).toBe(90);
    expect(jetlag([[0, 0, 0, 0, 0, 900, 900], week.map((midpoint) => (midpoint === 180 ? 0 : 900))])).toBe(
      540,
    );
  });

  test('covers four weeks', () => {
    const late = week.map(() => 400);
    expect(jetlag([late, week, week, week, week])).toBe(90);
  });

  test('needs three free nights, five others and a night on the day', () => {
    expect(jetlag([week])).toBeNull();
    expect(jetlag([week, [null, null, null, null, null, null, 270]])).toBe(90);
    expect(jetlag([week, [180, 180, 180, 180, 180, 270, null]])).toBeNull();
    const few = [180, 180, null, null, null, 270, 270];
    expect(jetlag([few, few])).toBeNull();
  });
});

describe('the glucose management indicator', () => {
  const all: Piece[] = Array.from({ length: 96 }, (_, at): Piece => [at / 4, at / 4 + 1 / 60, 8]);
  function indicator(readingsByDay: readonly (readonly Piece[])[]) {
    const first = monday - readingsByDay.length + 1;
    const days = emptyDays(monday, monday);
    readingsByDay.forEach((glucose, at) => {
      const observed = observedOn(first + at, { glucose });
      days.facts.set(first + at, {
        coveredMinutes: 0,
        awake: [],
        workouts: [],
        hrvKind: null,
        epochs: [],
        ...(observed && { observed }),
      });
    });
    days.set('blood_glucose', monday, readingsByDay.at(-1)!.length > 0 ? 8 : null);
    return valuesWithScoresOn(days, monday)['glucose_management_indicator'];
  }
  const fortnight = Array.from({ length: 14 }, () => all);

  test('is 3.31 + 0.02392 × the mean in mg/dL over two weeks', () => {
    expect(indicator(fortnight)).toBeCloseTo(3.31 + 0.02392 * 8 * 18.0182, 9);
    const higher = all.map(([from, to]): Piece => [from, to, 10]);
    expect(indicator([...fortnight.slice(7), ...fortnight.slice(7).map(() => higher)])).toBeCloseTo(
      3.31 + 0.02392 * 9 * 18.0182,
      9,
    );
  });

  test('needs readings for 70 % of the time, and on the day', () => {
    expect(indicator(fortnight.slice(0, 10))).not.toBeNull();
    expect(indicator(fortnight.slice(0, 9))).toBeNull();
    expect(indicator([...fortnight.slice(1), []])).toBeNull();
    expect(indicator(fortnight.map((readings) => readings.slice(0, 4)))).toBeNull();
  });
});
