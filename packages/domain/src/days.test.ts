import { describe, expect, inject, test } from 'vitest';
import { addDays, dayEndMs, dayOf, dayStartMs, formatDay, minutesFromMidnight, parseDay } from './days.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const zones = Intl.supportedValuesOf('timeZone');

function day(text: string): number {
  return parseDay(text)!;
}

function hoursOf(text: string, timezone: string): number {
  return (dayEndMs(day(text), timezone) - dayStartMs(day(text), timezone)) / hourMs;
}

function startOf(text: string, timezone: string): string {
  return new Date(dayStartMs(day(text), timezone)).toISOString();
}

describe('calendar dates', () => {
  test('parses and formats the days from 1900 to 2200 as UTC does', () => {
    const all = Array.from({ length: 109_938 }, (_, at) => day('1900-01-01') + at);
    expect(all.at(-1)).toBe(day('2200-12-31'));
    // Every tenth day, which covers each day of each month many times, and all days around the turn of the century.
    const isSampled = (number: number): boolean => number % 10 === 0 || Math.abs(number - 11_000) < 400;
    const wrong = all.filter(isSampled).filter((number) => {
      const text = formatDay(number);
      return parseDay(text) !== number || new Date(number * dayMs).toISOString() !== `${text}T00:00:00.000Z`;
    });
    expect(wrong).toEqual([]);
    expect(day('1970-01-01')).toBe(0);
  });

  test.each([
    '',
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-01-00',
    '1899-12-31',
    '2201-01-01',
    '2026-1-01',
    '20260101',
    '2026-01-01 ',
    '2026-01-01\n',
    '2026-01-01T00:00:00Z',
    '+002026-01-01',
    '٢٠٢٦-٠١-٠١',
    '__proto__',
  ])('rejects %j', (text) => expect(parseDay(text)).toBeNull());

  test('formats days outside the supported years', () => {
    expect(formatDay(day('1900-01-01') - 1)).toBe('1899-12-31');
  });
});

describe('unusual days', () => {
  test.each([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-03-30', 'Europe/Berlin', 24],
    ['2026-03-08', 'America/New_York', 23],
    ['2026-11-01', 'America/New_York', 25],
    ['2026-10-04', 'Australia/Lord_Howe', 23.5],
    ['2026-04-05', 'Australia/Lord_Howe', 24.5],
    ['2018-11-04', 'America/Sao_Paulo', 23],
    ['2011-12-30', 'Pacific/Apia', 0],
    ['1993-08-21', 'Pacific/Kwajalein', 0],
  ])('gives %s in %s a length of %d hours', (text, timezone, hours) =>
    expect(hoursOf(text, timezone)).toBe(hours),
  );

  test.each([
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    // Midnight does not exist: clocks moved from 23:59:59 to 01:00.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // The gap began before midnight: clocks moved from 23:30 to 00:30.
    ['1919-03-31', 'America/Toronto', '1919-03-31T04:30:00.000Z'],
    ['2010-03-28', 'Asia/Beirut', '2010-03-27T22:00:00.000Z'],
    // Samoa skipped from the 29th to the 31st.
    ['2011-12-29', 'Pacific/Apia', '2011-12-29T10:00:00.000Z'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['1993-08-22', 'Pacific/Kwajalein', '1993-08-21T12:00:00.000Z'],
  ])('starts %s in %s at %s', (text, timezone, expected) => expect(startOf(text, timezone)).toBe(expected));

  test('assigns no instant to a skipped day', () => {
    const change = Date.parse('2011-12-30T10:00:00Z');
    expect(formatDay(dayOf(change - 1, 'Pacific/Apia'))).toBe('2011-12-29');
    expect(formatDay(dayOf(change, 'Pacific/Apia'))).toBe('2011-12-31');
  });

  test('does not return to the previous day when clocks move back across midnight', () => {
    // Until 2011, Newfoundland moved clocks at 00:01 back to 23:01 of the previous day.
    const midnight = Date.parse('2010-11-07T02:30:00Z');
    expect(startOf('2010-11-07', 'America/St_Johns')).toBe(new Date(midnight).toISOString());
    for (const minutes of [0, 1, 30, 60, 90]) {
      expect(formatDay(dayOf(midnight + minutes * 60_000, 'America/St_Johns'))).toBe('2010-11-07');
    }
    expect(minutesFromMidnight(midnight + 60_000, day('2010-11-07'), 'America/St_Johns')).toBe(-59);
  });

  test.each([
    ['2026-03-28T22:30:00Z', '2026-03-29', 'Europe/Berlin', -30],
    ['2026-03-29T00:30:00Z', '2026-03-29', 'Europe/Berlin', 90],
    ['2026-03-29T01:30:00Z', '2026-03-29', 'Europe/Berlin', 210],
    ['2026-10-25T01:30:00Z', '2026-10-25', 'Europe/Berlin', 150],
    ['2026-03-29T06:15:30Z', '2026-03-29', 'UTC', 375.5],
  ])('computes local time at %s as %s in %s plus %d minutes', (instant, text, timezone, minutes) => {
    expect(minutesFromMidnight(Date.parse(instant), day(text), timezone)).toBe(minutes);
  });
});

/** Local time as printed by `Intl`, as if it were UTC. */
function wallClockOf(timezone: string): (instantMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return (instantMs) => {
    const text = format.format(instantMs); // 03/29/2026, 00:30:00
    const year = Number(text.slice(6, 10));
    const month = Number(text.slice(0, 2));
    const hour = Number(text.slice(12, 14));
    const seconds = hour * 3600 + Number(text.slice(15, 17)) * 60 + Number(text.slice(18, 20));
    const milliseconds = ((instantMs % 1000) + 1000) % 1000;
    return Date.UTC(year, month - 1, Number(text.slice(3, 5))) + seconds * 1000 + milliseconds;
  };
}

type WallClock = ReturnType<typeof wallClockOf>;

/** Instants at which the UTC offset changes: compares offsets two weeks apart and bisects where they differ. */
function transitionsOf(wallClock: WallClock): number[] {
  const stepMs = 14 * dayMs;
  const transitions: number[] = [];
  let before = Date.UTC(1970, 0, 1);
  let offset = wallClock(before) - before;
  for (let after = before + stepMs; after < Date.UTC(2038, 0, 1); before = after, after += stepMs) {
    const next = wallClock(after) - after;
    if (next === offset) continue;
    let [low, high] = [before / 1000, after / 1000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (wallClock(middle * 1000) - middle * 1000 === offset) low = middle;
      else high = middle;
    }
    transitions.push(high * 1000);
    offset = next;
  }
  return transitions;
}

/** The latest local date that clocks have shown by `instantMs`. */
function expectedDay(instantMs: number, wallClock: WallClock, transitions: readonly number[]): number {
  let latest = wallClock(instantMs);
  for (const transition of transitions) {
    const isRecent = transition <= instantMs && transition > instantMs - 2 * dayMs;
    if (isRecent) latest = Math.max(latest, wallClock(transition - 1));
  }
  return Math.floor(latest / dayMs);
}

/** Pseudorandom numbers from 0 to 1 that are the same on every run. */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Instants around every clock change of a zone, and random ones. */
function instantsOf(transitions: readonly number[], dice: () => number): number[] {
  const somewhere = Array.from({ length: 60 }, () => Math.floor(dice() * Date.UTC(2038, 0, 1)));
  const around = transitions.flatMap((transition) => {
    const nearby = transition + Math.floor((dice() - 0.5) * 3 * dayMs);
    return [transition - 1, transition, transition + Math.floor(dice() * dayMs), nearby];
  });
  return [...somewhere, ...around];
}

test('agrees with local clocks in every time zone', { timeout: 120_000 }, () => {
  const dice = createDice(20_260_329);
  const wrong: string[] = [];
  let cases = 0;
  let changes = 0;
  const sample = inject('thorough') ? 1 : 6;
  for (const zone of zones.filter((_zone, at) => at % sample === 0)) {
    const wallClock = wallClockOf(zone);
    const transitions = transitionsOf(wallClock);
    changes += transitions.length;
    for (const instant of instantsOf(transitions, dice)) {
      cases += 1;
      const actualDay = dayOf(instant, zone);
      const start = dayStartMs(actualDay, zone);
      const isRight =
        actualDay === expectedDay(instant, wallClock, transitions) &&
        start <= instant &&
        dayEndMs(actualDay, zone) > instant &&
        // The start is the first instant of the day.
        expectedDay(start, wallClock, transitions) === actualDay &&
        expectedDay(start - 1, wallClock, transitions) < actualDay &&
        minutesFromMidnight(instant, actualDay, zone) === (wallClock(instant) - actualDay * dayMs) / 60_000;
      if (!isRight) wrong.push(`${zone} ${new Date(instant).toISOString()}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(zones.length).toBeGreaterThan(400);
  expect(changes).toBeGreaterThan(15_000 / sample);
  expect(cases).toBeGreaterThan(100_000 / sample);
});

test.each([
  ['2026-03-28T11:30:00Z', 'UTC', 1, '2026-03-29T11:30:00Z'],
  ['2026-03-28T11:30:00Z', 'Europe/Berlin', 1, '2026-03-29T10:30:00Z'],
  ['2026-03-29T10:30:00Z', 'Europe/Berlin', -1, '2026-03-28T11:30:00Z'],
  ['2026-10-24T10:30:00Z', 'Europe/Berlin', 1, '2026-10-25T11:30:00Z'],
  ['2026-10-24T10:30:00Z', 'Europe/Berlin', 0, '2026-10-24T10:30:00Z'],
  // 02:30 does not exist, so the result is an hour later.
  ['2026-03-28T01:30:00Z', 'Europe/Berlin', 1, '2026-03-29T01:30:00Z'],
  // 02:30 exists twice, and the result is the first one.
  ['2026-10-24T00:30:00Z', 'Europe/Berlin', 1, '2026-10-25T00:30:00Z'],
  ['2026-03-28T11:30:00Z', 'Europe/Berlin', 400, '2027-05-02T10:30:00Z'],
])('keeps the local time of %s in %s after %d days: %s', (from, timezone, days, to) => {
  expect(new Date(addDays(Date.parse(from), timezone, days)).toISOString()).toBe(to.replace('Z', '.000Z'));
});

test('returns correct days after the caches overflow', () => {
  const odd = zones.flatMap((zone) => [zone, zone.toLowerCase()]);
  const instants = [0, 7_000, 14_000].map((days) => days * dayMs + 12 * hourMs);
  const first = odd.map((zone) => instants.map((instant) => dayOf(instant, zone)));
  const second = odd.map((zone) => instants.map((instant) => dayOf(instant, zone)));
  expect(second).toEqual(first);
  // Days that are 2048 apart share a cache slot.
  expect(dayStartMs(100, 'UTC')).toBe(100 * dayMs);
  expect(dayStartMs(100 + 2048, 'UTC')).toBe((100 + 2048) * dayMs);
  expect(dayStartMs(100, 'UTC')).toBe(100 * dayMs);
  expect(dayStartMs(100 - 2048, 'UTC')).toBe((100 - 2048) * dayMs);
});
