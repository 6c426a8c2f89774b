import { describe, expect, test } from 'vitest';
import { changeTimezone, type EffectiveFrom } from './change-timezone.ts';
import { clockTime } from './clock-time.ts';
import { dayEndMs, dayOf, dayStartMs, formatDay, parseDay, timezoneAt } from './days.ts';
import { hourMs } from './durations.ts';
import { parseTimezones, type Timezones } from './timezones.ts';

const day = (text: string) => parseDay(text)!;
const ms = (instant: string) => Date.parse(instant);
const [berlin, losAngeles, tokyo] = ['Europe/Berlin', 'America/Los_Angeles', 'Asia/Tokyo'];

/** Changes the zone at each instant, one after another. */
function timelineOf(first: string, ...moves: [at: string, zone: string, from?: EffectiveFrom][]): Timezones {
  return moves.reduce<Timezones>(
    (timezones, [at, zone, from = 'now']) => changeTimezone(timezones, zone, from, ms(at)),
    first,
  );
}

const hoursOf = (text: string, timezones: Timezones) =>
  (dayEndMs(day(text), timezones) - dayStartMs(day(text), timezones)) / hourMs;
const startOf = (text: string, timezones: Timezones) =>
  new Date(dayStartMs(day(text), timezones)).toISOString();

describe('the day of a move', () => {
  test.each([
    [berlin, losAngeles, '2026-11-18T19:00:00Z', '2026-11-18', 33],
    [losAngeles, berlin, '2026-11-18T19:00:00Z', '2026-11-18', 15],
    // The clock in Berlin shows the 19th already, and the 19th starts at midnight there.
    [losAngeles, berlin, '2026-11-19T04:00:00Z', '2026-11-18', 15],
    // The clock in Los Angeles still shows the 17th, so that day continues.
    [berlin, losAngeles, '2026-11-18T01:00:00Z', '2026-11-17', 33],
    ['Europe/London', berlin, '2026-11-18T12:00:00Z', '2026-11-18', 23],
    [berlin, 'Europe/Paris', '2026-11-18T12:00:00Z', '2026-11-18', 24],
    // Both clocks go back an hour on this day, before the move.
    [berlin, 'Europe/London', '2026-10-25T12:00:00Z', '2026-10-25', 26],
  ])('from %s to %s at %s is %s and has %d hours', (from, to, at, travelDay, hours) => {
    const timezones = timelineOf(from, [at, to]);
    expect(hoursOf(travelDay, timezones)).toBe(hours);
    expect(dayStartMs(day(travelDay), timezones)).toBe(dayStartMs(day(travelDay), from));
    expect(dayEndMs(day(travelDay), timezones)).toBe(dayEndMs(day(travelDay), to));
    expect(dayOf(ms(at), timezones)).toBe(dayOf(ms(at), to));
  });

  test('uses each clock while it applies', () => {
    const timezones = timelineOf(berlin, ['2026-11-18T19:00:00Z', losAngeles]);
    expect(timezones).toBe('Europe/Berlin 2026-11-18 2026-11-18T19:00:00.000Z America/Los_Angeles');
    expect(clockTime(ms('2026-11-18T06:00:00Z'), timezones)).toBe('2026-11-18T07:00:00');
    expect(clockTime(ms('2026-11-18T18:59:59Z'), timezones)).toBe('2026-11-18T19:59:59');
    expect(clockTime(ms('2026-11-18T19:00:00Z'), timezones)).toBe('2026-11-18T11:00:00');
  });

  test('uses only the new clock from its midnight on', () => {
    const timezones = timelineOf(losAngeles, ['2026-11-19T04:00:00Z', berlin]);
    expect(clockTime(ms('2026-11-18T22:59:59Z'), timezones)).toBe('2026-11-18T14:59:59');
    expect(clockTime(ms('2026-11-18T23:00:00Z'), timezones)).toBe('2026-11-19T00:00:00');
  });
});

describe('crossing the date line', () => {
  const [kiritimati, pagoPago] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];

  test('to the west skips a date', () => {
    const timezones = timelineOf(pagoPago, ['2026-11-18T20:00:00Z', kiritimati]);
    expect(hoursOf('2026-11-17', timezones)).toBe(24);
    expect(hoursOf('2026-11-18', timezones)).toBe(0);
    expect(startOf('2026-11-19', timezones)).toBe('2026-11-18T11:00:00.000Z');
    expect(hoursOf('2026-11-19', timezones)).toBe(23);
    expect(formatDay(dayOf(ms('2026-11-18T11:00:00Z'), timezones))).toBe('2026-11-19');
    expect(timezoneAt(ms('2026-11-18T10:59:59Z'), timezones)).toBe(pagoPago);
    expect(timezoneAt(ms('2026-11-18T11:00:00Z'), timezones)).toBe(kiritimati);
  });

  test('to the east continues the date that is shown again', () => {
    const timezones = timelineOf(kiritimati, ['2026-11-18T20:00:00Z', pagoPago]);
    expect(formatDay(dayOf(ms('2026-11-18T20:00:00Z'), kiritimati))).toBe('2026-11-19');
    expect(startOf('2026-11-18', timezones)).toBe('2026-11-17T10:00:00.000Z');
    expect(hoursOf('2026-11-18', timezones)).toBe(49);
    expect(formatDay(dayOf(ms('2026-11-18T20:00:00Z'), timezones))).toBe('2026-11-18');
    expect(startOf('2026-11-19', timezones)).toBe('2026-11-19T11:00:00.000Z');
  });
});

describe('a change', () => {
  const moved = timelineOf(berlin, ['2026-11-18T19:00:00Z', losAngeles]);

  test.each<[string, Timezones, [string, string, EffectiveFrom?][]]>([
    ['to the current zone', moved, [['2026-11-18T19:00:00Z', losAngeles]]],
    ['to the current zone at a later time', moved, [['2026-11-28T19:00:00Z', losAngeles]]],
    [
      'there and back within a day',
      moved,
      [
        ['2026-11-30T08:00:00Z', tokyo],
        ['2026-11-30T23:00:00Z', losAngeles],
      ],
    ],
    ['for all days to the only zone', berlin, [['2026-11-18T19:00:00Z', berlin, 'all']]],
    [
      'from a date on to the zone of that date',
      moved,
      [['2026-12-18T19:00:00Z', losAngeles, day('2026-12-01')]],
    ],
  ])('%s changes nothing', (_case, before, moves) => {
    expect(timelineOf(before, ...moves)).toBe(before);
  });

  test('there and back undoes itself after the new midnight, too', () => {
    expect(
      timelineOf(losAngeles, ['2026-11-19T04:00:00Z', berlin], ['2026-11-19T04:05:00Z', losAngeles]),
    ).toBe(losAngeles);
    expect(timelineOf(berlin, ['2026-11-18T01:00:00Z', losAngeles], ['2026-11-18T01:05:00Z', berlin])).toBe(
      berlin,
    );
  });

  test('for all days leaves one zone', () => {
    expect(timelineOf(moved, ['2026-11-20T00:00:00Z', losAngeles, 'all'])).toBe(losAngeles);
  });

  test('effective from a date starts when the previous day ends', () => {
    const later = timelineOf(berlin, ['2026-11-18T19:00:00Z', losAngeles, day('2026-11-10')]);
    expect(startOf('2026-11-10', later)).toBe('2026-11-09T23:00:00.000Z');
    expect(hoursOf('2026-11-10', later)).toBe(33);
    expect(clockTime(ms('2026-11-10T07:59:59Z'), later)).toBe('2026-11-10T08:59:59');
    expect(clockTime(ms('2026-11-10T08:00:00Z'), later)).toBe('2026-11-10T00:00:00');
    expect(timelineOf(later, ['2026-11-19T19:00:00Z', losAngeles, day('2026-11-10')])).toBe(later);
  });

  test('effective before an earlier change replaces it', () => {
    const replaced = timelineOf(moved, ['2026-12-18T19:00:00Z', tokyo, day('2026-11-01')]);
    expect(parseTimezones(replaced).map(({ timezone }) => timezone)).toEqual([berlin, tokyo]);
    const extended = timelineOf(moved, ['2026-12-18T19:00:00Z', tokyo, day('2026-12-01')]);
    expect(parseTimezones(extended).map(({ timezone }) => timezone)).toEqual([berlin, losAngeles, tokyo]);
  });

  test('effective from a date that has not started in both zones applies from now on', () => {
    const now = '2026-11-19T04:00:00Z'; // the 18th in Los Angeles and the 19th in Berlin
    const timezones = timelineOf(losAngeles, [now, berlin]);
    expect(timelineOf(losAngeles, [now, berlin, day('2026-11-19')])).toBe(timezones);
  });
});

test('days tile time after any changes, and earlier days stay as they are', () => {
  const zones = [
    berlin,
    losAngeles,
    tokyo,
    'UTC',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Pacific/Apia',
    'Asia/Kathmandu',
  ];
  let state = 20_261_118;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const first = day('2026-03-20');
  const wrong: string[] = [];
  for (let user = 0; user < 300; user += 1) {
    let timezones: Timezones = zones[random(zones.length)]!;
    let nowMs = dayStartMs(first, 'UTC');
    for (let move = 0; move < 8; move += 1) {
      nowMs += random(40 * hourMs);
      const before = timezones;
      const zone = zones[random(zones.length)]!;
      const from = random(3) === 0 ? first + random(20) : 'now';
      timezones = changeTimezone(before, zone, from, nowMs);
      const today = Math.min(dayOf(nowMs, before), dayOf(nowMs, zone));
      const firstChanged = from === 'now' ? today : Math.min(from, today);
      const isRight =
        dayOf(nowMs, timezones) === dayOf(nowMs, zone) &&
        Array.from({ length: 30 }, (_, at) => first - 3 + at).every((one) => {
          const [start, end] = [dayStartMs(one, timezones), dayEndMs(one, timezones)];
          const isEmpty = start === end;
          const isTiled =
            end >= start &&
            (isEmpty || (dayOf(start, timezones) === one && dayOf(end - 1, timezones) === one));
          const startsAsBefore = one > firstChanged || start === dayStartMs(one, before);
          return isTiled && startsAsBefore;
        }) &&
        changeTimezone(timezones, zone, from, nowMs) === timezones;
      if (!isRight) wrong.push(`${before} to ${zone} from ${from} at ${new Date(nowMs).toISOString()}`);
    }
  }
  expect(wrong).toEqual([]);
});
