import { dayStartMs, parseDay } from '@tributary/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createLivedUser,
  deliverLived,
  livedBatches,
  type LivedBatch,
  type LivedPerson,
} from '../../test/data/lived-days.ts';
import { scoreThrough } from '../../test/data/score-through.ts';
import { datesFrom } from '../../test/data/scored-user.ts';
import {
  changedBetween,
  datesOf,
  differencesBetween,
  readStoredScores,
  scoreFromScratch,
  type ScoresOf,
} from '../../test/data/stored-scores.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import type { PhoneUser } from '../../test/data/uploads.ts';

const hourMs = 3_600_000;
const timezone = 'Europe/Berlin';
const person: LivedPerson = {
  seed: 'recomputed',
  archetype: 'office_worker',
  firstDay: parseDay('2026-03-02')!,
  timezone,
};
/** The evening of the thirtieth day. The clocks change on the 28th. */
const nowMs = Date.parse('2026-03-31T19:00:00Z');
const today = parseDay('2026-03-31')!;

let app: TestApp;
let movedMs = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  movedMs = nowMs - Date.now();
  await app.moveClock(movedMs);
});

async function passTime(hours: number): Promise<void> {
  movedMs += hours * hourMs;
  await app.moveClock(movedMs);
}

const deliver = ({ id }: PhoneUser, batches: readonly LivedBatch<object>[]) => deliverLived(app, id, batches);

/** Scores everything that waits, including scores that were held back or close on their own. */
async function scoreEverything(): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    await scoreThrough(app);
    await passTime(3);
  }
  await scoreThrough(app);
}

const scratchRange = { from: person.firstDay - 1, to: today + 1 };

describe('a corrected night of ten days ago', () => {
  const corrected = parseDay('2026-03-21')!;
  const after = datesFrom('2026-03-21', 11);
  let user: PhoneUser;
  let before: ScoresOf;
  let night: LivedBatch['content']['sleep'][number];
  let ring: LivedBatch['device'];

  beforeEach(async () => {
    user = await createLivedUser(app, person);
    const batches = livedBatches(person, 0, nowMs);
    await deliver(user, batches);
    await scoreEverything();
    before = await readStoredScores(app, user.uuid);
    for (const { device, content } of batches.filter((batch) => batch.device.kind === 'ring')) {
      const session = content.sleep.find(({ id }) => id === 'sleep-2026-03-21');
      if (session) [ring, night] = [device, session];
    }
  });

  /** The same session, reported again later. */
  async function correct(startMinutes: number, endMinutes: number): Promise<ScoresOf> {
    const shift = (instant: string, minutes: number) =>
      new Date(Date.parse(instant) + minutes * 60_000).toISOString();
    const start = shift(night.start, startMinutes);
    const end = shift(night.end, endMinutes);
    const inBed = (Date.parse(end) - Date.parse(start)) / 60_000;
    const minutes = { in_bed: inBed, asleep: inBed - 40, deep: 50, rem: 60, light: inBed - 150, awake: 40 };
    const { stages: _, ...withoutStages } = night;
    await deliver(user, [
      {
        device: ring,
        content: { sleep: [{ ...withoutStages, start, end, minutes }] },
      },
    ]);
    await scoreThrough(app);
    return readStoredScores(app, user.uuid);
  }

  function expectInside(
    changed: readonly string[],
    type: Parameters<typeof datesOf>[1],
    dates: readonly string[],
  ) {
    expect(dates).toEqual(expect.arrayContaining(datesOf(changed, type)));
  }

  test('with an earlier end changes only the values derived from it', async () => {
    const now = await correct(0, -90);
    const changed = changedBetween(before, now);
    expect(changed).toContain('sleep_score 2026-03-21');
    // Regularity compares seven days, and the norms of epochs cover two weeks.
    expectInside(changed, 'sleep_score', after.slice(0, 7));
    expectInside(changed, 'strain_score', after.slice(0, 1));
    expectInside(changed, 'recovery_score', after);
    expectInside(changed, 'stress_score', after);
    expectInside(changed, 'energy_reserve_score', after);
    expectInside(changed, 'nutrition_score', []);
    for (const [key, { publishedMs }] of Object.entries(before.scores))
      if (!changed.includes(key)) expect([key, now.scores[key]!.publishedMs]).toEqual([key, publishedMs]);
    expect(differencesBetween(await scoreFromScratch(app, user.uuid, scratchRange), now)).toEqual([]);
  });

  test('with an earlier start also changes the previous evening, and nothing earlier', async () => {
    const now = await correct(-150, 0);
    const changed = changedBetween(before, now);
    expect(changed).toContain('energy_reserve_score 2026-03-20');
    expect(changed.filter((key) => key.split(' ')[1]! < '2026-03-20')).toEqual([]);
    expectInside(changed, 'strain_score', datesFrom('2026-03-20', 2));
    expectInside(changed, 'sleep_score', after.slice(0, 7));
    expectInside(changed, 'recovery_score', after);
    expect(dayStartMs(corrected, timezone)).toBeGreaterThan(Date.parse(night.start) - 150 * 60_000);
    expect(differencesBetween(await scoreFromScratch(app, user.uuid, scratchRange), now)).toEqual([]);
  });

  test('that is reported again unchanged changes nothing', async () => {
    await deliver(user, [{ device: ring, content: { sleep: [night] } }]);
    await scoreThrough(app);
    expect(await readStoredScores(app, user.uuid)).toEqual(before);
  });
});

/** A small seeded generator, so that a failure can be reproduced. */
function diceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each(['athlete', 'shift_worker', 'older_adult'] as const)(
  'uploads of one %s in random order, scored in between, give the same result as scoring from scratch',
  async (archetype) => {
    const dice = diceOf(archetype.length);
    const lived = { ...person, archetype, firstDay: today - 9 };
    const user = await createLivedUser(app, lived);
    const fromMs = dayStartMs(lived.firstDay, timezone);
    const pieces: { order: number; batch: LivedBatch }[] = [];
    for (let at = fromMs; at < nowMs; at += 8 * hourMs)
      for (const batch of livedBatches(lived, at === fromMs ? 0 : at, Math.min(nowMs, at + 8 * hourMs)))
        pieces.push({ order: dice(), batch });
    let rest = pieces.sort((a, b) => a.order - b.order).map(({ batch }) => batch);
    while (rest.length > 0) {
      const count = 1 + Math.floor(dice() * 12);
      await deliver(user, rest.slice(0, count));
      rest = rest.slice(count);
      await scoreThrough(app);
      await passTime(3);
    }
    await scoreEverything();
    const now = await readStoredScores(app, user.uuid);
    expect(Object.keys(now.scores).length).toBeGreaterThan(45);
    const range = { from: lived.firstDay - 1, to: today + 1 };
    expect(differencesBetween(await scoreFromScratch(app, user.uuid, range), now)).toEqual([]);
  },
);
