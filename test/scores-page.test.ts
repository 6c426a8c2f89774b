import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { archetypes } from '@tributary/contract';
import {
  energyNeedOf,
  type Score,
  scoreNutritionTwo,
  scoreScales,
  scoreSleepTwo,
  scoreTypes,
  traitsOf,
} from '@tributary/domain/testing';

/** docs/scores.md is enough to compute a score: these tests read its tables with a few lines of code that know no scoring rule. */
let page: string;
beforeAll(async () => {
  page = await readFile(join(resolve(import.meta.dirname, '..'), 'docs/scores.md'), 'utf8');
});

type Row = Record<string, string>;
type Knot = [x: number, y: number];
type Readings = Record<string, number | null>;

function section(title: string): string {
  const start = page.indexOf(`\n## ${title}\n`);
  expect(start).toBeGreaterThan(0);
  const end = page.indexOf('\n## ', start + 1);
  return page.slice(start, end < 0 ? undefined : end);
}

/** The tables of a section, each as rows keyed by column name. */
function tablesOf(title: string): Row[][] {
  const blocks = section(title).match(/(?:^\|.*\|\n)+/gm) ?? [];
  return blocks.map((block) => {
    const [head, , ...rows] = block.trim().split('\n').map(cellsOf);
    return rows.map((cells) => Object.fromEntries(head!.map((name, at) => [name, cells[at]!])));
  });
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim().replaceAll('`', ''));
}

function knotsIn(text: string): Knot[] {
  return [...text.matchAll(/\(([\d.]+), ([\d.]+)\)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

function subScoreAt(knots: readonly Knot[], x: number): number {
  const next = knots.findIndex(([from]) => x <= from);
  if (next === 0) return knots[0]![1];
  if (next < 0) return knots.at(-1)![1];
  const [[x0, y0], [x1, y1]] = [knots[next - 1]!, knots[next]!];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

/** Evaluates a printed expression such as `100 * (deep_sleep + REM) / asleep`. Null if a reading is missing. */
function evaluate(expression: string, readings: Readings): number | null {
  const names = [...new Set(expression.match(/[A-Za-z_]+/g))];
  if (names.some((name) => (readings[name] ?? null) === null)) return null;
  // oxlint-disable-next-line typescript/no-implied-eval -- the page is ours
  return Function(...names, `return ${expression}`)(...names.map((name) => readings[name])) as number;
}

interface Step {
  name: string;
  reading: number;
  subScore: number;
  share: number;
  contribution: number;
}

/** A limit takes away what exceeds it. */
type Contribution = Pick<Step, 'name' | 'contribution'>;

function limited(
  steps: readonly Contribution[],
  neutral: number,
  limits: readonly [string, number][],
): Contribution[] {
  const total = steps.reduce((sum, { contribution }) => sum + contribution, neutral);
  const [name, highest] = limits.toSorted(([, a], [, b]) => a - b)[0]!;
  return total > highest ? [...steps, { name, contribution: highest - total }] : [...steps];
}

/** Applies a table of factors to readings. */
function stepsBy(
  rows: readonly Row[],
  readings: Readings,
  knotsOf: (row: Row) => Knot[],
  neutral: number,
): Step[] {
  const present = rows.flatMap((row) => {
    const median = row['Median'] ? Number(row['Median']) : null;
    const reading = evaluate(row['Reading']!, readings) ?? median;
    return reading === null ? [] : [{ row, reading }];
  });
  const weight = present.reduce((sum, { row }) => sum + Number(row['Weight']), 0);
  return present.map(({ row, reading }) => {
    const subScore = subScoreAt(knotsOf(row), reading);
    const share = Number(row['Weight']) / weight;
    return { name: row['Factor']!, reading, subScore, share, contribution: share * (subScore - neutral) };
  });
}

/** Value and factors as the page describes: rounded down to tenths, with the rest added to the largest remainders. */
function shownBy(
  steps: readonly Contribution[],
  neutral: number,
): { value: number; factors: Record<string, number> } {
  const exact = steps.map(({ contribution }) => Math.round(contribution * 1e7) / 1e6);
  const total = Math.round(steps.reduce((sum, { contribution }) => sum + contribution, neutral) * 1e7) / 1e6;
  const tenths = Math.floor(total + 0.5);
  const floors = exact.map(Math.floor);
  let lacking = tenths - neutral * 10 - floors.reduce((sum, each) => sum + each, 0);
  const byRemainder = exact
    .map((each, at) => at)
    .sort((a, b) => exact[b]! - floors[b]! - (exact[a]! - floors[a]!) || a - b);
  for (const at of byRemainder) if (lacking-- > 0) floors[at]! += 1;
  const factors = Object.fromEntries(steps.map(({ name }, at) => [name, floors[at]! / 10]));
  return { value: tenths / 10, factors: { baseline: neutral, ...factors } };
}

function sleepSteps(readings: Readings, age: number | null): Step[] {
  const [factors, byAge] = tablesOf('Sleep');
  const ofAge = byAge!.find(({ Age: range }) => {
    const [from, to] = range!.match(/\d+/g)!.map(Number) as [number, number?];
    if (age === null) return range!.includes('unknown');
    if (range!.startsWith('under')) return age < from;
    return age >= from && age <= (to ?? Infinity);
  })!;
  const hours = knotsIn(ofAge['Knots of duration, in hours']!);
  return stepsBy(
    factors!,
    readings,
    (row) => (row['Factor'] === 'duration' ? hours : knotsIn(row['Knots']!)),
    75,
  );
}

/** The highest sleep score by hours asleep. */
function sleepLimit(hours: number): [string, number] {
  const knots = /The highest score by hours asleep is ([^.]+)\./.exec(section('Sleep'))![1]!;
  return ['duration_limit', subScoreAt(knotsIn(knots), hours)];
}

const factorsOf = (score: Score) =>
  Object.fromEntries(score.factors.map(({ name, contribution }) => [name, contribution]));

/** Random numbers that are the same in every run. */
function diceOf(seed: number): (from: number, to: number) => number {
  let state = seed;
  return (from, to) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from + (state / 2 ** 32) * (to - from);
  };
}

describe('the example computed by hand', () => {
  interface Explanation {
    value: number;
    factors: { name: string; contribution: number }[];
    ingredients: { name: string; share: number; sub_score: number; contribution: number }[];
    inputs: { metric: string; value: number | null }[];
    other: { age: number; sleep_regularity_index: number };
  }
  let explained: Explanation;
  let steps: Step[];
  beforeAll(() => {
    explained = JSON.parse(/```json\n([\s\S]*?)```/.exec(section('Compute one by hand'))![1]!) as Explanation;
    const { inputs, other } = explained;
    const readings = Object.fromEntries(inputs.map(({ metric, value }) => [metric, value]));
    steps = sleepSteps({ ...readings, sleep_regularity_index: other.sleep_regularity_index }, other.age);
  });

  test('follows from the tables of the page', () => {
    expect(steps.map(({ name }) => name)).toEqual(explained.ingredients.map(({ name }) => name));
    for (const [at, { share, sub_score, contribution }] of explained.ingredients.entries()) {
      expect(steps[at]!.share).toBeCloseTo(share, 12);
      expect(steps[at]!.subScore).toBeCloseTo(sub_score, 9);
      expect(steps[at]!.contribution).toBeCloseTo(contribution, 9);
    }
    const shown = shownBy(steps, 75);
    expect(shown.value).toBe(explained.value);
    expect(shown.factors).toEqual(
      Object.fromEntries(explained.factors.map(({ name, contribution }) => [name, contribution])),
    );
  });

  test('matches its table, to four decimals', () => {
    const [rows] = tablesOf('Compute one by hand');
    const { value, factors } = shownBy(steps, 75);
    const round = (number: number) => String(Math.round(number * 1e4) / 1e4);
    const sum = steps.reduce((total, { contribution }) => total + contribution, 75);
    expect(rows!.map((row) => Object.values(row))).toEqual([
      ['baseline', '', '', '', '75', '75'],
      ...steps.map(({ name, reading, subScore, share, contribution }) => [
        name,
        ...[reading, subScore, share, contribution, factors[name]!].map(round),
      ]),
      ['**Sum**', '', '', '1', round(sum), String(value)],
    ]);
  });
});

test("lists the service's sleep rules in the sleep tables", () => {
  const dice = diceOf(7);
  for (let at = 0; at < 2_000; at += 1) {
    const some = (from: number, to: number) => (dice(0, 1) < 0.8 ? dice(from, to) : null);
    const age = dice(0, 1) < 0.9 ? Math.floor(dice(5, 90)) : null;
    const asleep = dice(60, 800);
    const [deep, rem] = [some(0, 0.5 * asleep), some(0, 0.4 * asleep)];
    const readings = {
      asleep,
      deep_sleep: deep,
      REM: rem,
      sleep_efficiency: some(50, 100),
      wake_after_sleep_onset: some(0, 120),
      sleep_latency: some(0, 120),
      sleep_regularity_index: some(0, 100),
    };
    const score = scoreSleepTwo({
      age,
      asleepMinutes: asleep,
      deepMinutes: deep,
      remMinutes: rem,
      efficiencyPercent: readings.sleep_efficiency,
      awakeAfterOnsetMinutes: readings.wake_after_sleep_onset,
      latencyMinutes: readings.sleep_latency,
      regularityIndex: readings.sleep_regularity_index,
      usual: {
        regularityIndex: null,
        efficiencyPercent: null,
        awakeAfterOnsetMinutes: null,
        restorativePercent: null,
        latencyMinutes: null,
      },
    })!;
    const steps = limited(sleepSteps(readings, age), 75, [sleepLimit(asleep / 60)]);
    const shown = shownBy(steps, 75);
    expect(shown.value).toBe(score.value);
    expect(shown.factors).toEqual(factorsOf(score));
  }
});

test("lists the service's nutrition rules in the nutrition table", () => {
  const [rows, limitRows] = tablesOf('Nutrition');
  const dice = diceOf(11);
  for (let at = 0; at < 1_000; at += 1) {
    const readings = {
      dietary_energy: dice(600, 4_000),
      fiber: dice(0, 60),
      protein: dice(0, 250),
      added_sugar: dice(0, 200),
      fat_saturated: dice(1, 80),
      fat_monounsaturated: dice(0, 60),
      fat_polyunsaturated: dice(0, 40),
      sodium: dice(0, 6_000),
      potassium: dice(0, 6_000),
      water: dice(0, 3_000),
      weight: dice(45, 130),
      total_energy: dice(1_500, 4_500),
    };
    const input = {
      dietaryEnergyKcal: readings.dietary_energy,
      fiberGrams: readings.fiber,
      proteinGrams: readings.protein,
      addedSugarGrams: readings.added_sugar,
      sugarGrams: null,
      saturatedFatGrams: readings.fat_saturated,
      monounsaturatedFatGrams: readings.fat_monounsaturated,
      polyunsaturatedFatGrams: readings.fat_polyunsaturated,
      sodiumMg: readings.sodium,
      potassiumMg: readings.potassium,
      waterMl: readings.water,
      weightKg: readings.weight,
      sex: null,
      restingEnergyKcal: null,
      usualRestingEnergyKcal: null,
      totalEnergyKcal: readings.total_energy,
    };
    const score = scoreNutritionTwo(input)!;
    const known = { ...readings, energy_need: energyNeedOf(input) };
    const limits = limitRows!.map((row): [string, number] => [
      row['Limit']!,
      subScoreAt(knotsIn(row['Highest score']!), evaluate(row['Reading']!, known)!),
    ]);
    const steps = limited(
      stepsBy(rows!, known, (row) => knotsIn(row['Knots']!), 50),
      50,
      limits,
    );
    expect(shownBy(steps, 50)).toEqual({ value: score.value, factors: factorsOf(score) });
  }
});

test("lists the service's scales, bands and minimums", () => {
  const [scales] = tablesOf('The six scores');
  const [, minimums] = [scales, tablesOf('Read scores').at(-1)];
  expect(scales!.map((row) => row['Score'])).toEqual(scoreTypes);
  for (const [at, type] of scoreTypes.entries()) {
    const { neutral, higherIs, bands, minimum } = scoreScales[type];
    const row = scales![at]!;
    expect([row['Neutral'], row['Higher is']]).toEqual([String(neutral), higherIs]);
    expect(row['Bands, by lower bound']).toBe(bands.map(([from, name]) => `${from} ${name}`).join(', '));
    expect(minimums![at]).toEqual({ Score: type, Minimum: minimum });
  }
});

test('describes the simulated users of the sandbox', () => {
  const [rows] = tablesOf('The sandbox');
  expect(rows!.map((row) => row['Archetype'])).toEqual(archetypes);
  for (const [at, archetype] of archetypes.entries()) {
    const { ageYears, sex, restingHeartRate, rmssd, asleepMinutes, weekdaySteps } = traitsOf[archetype];
    expect(Object.values(rows![at]!).slice(1, 6)).toEqual([
      `${ageYears}, ${sex}`,
      String(restingHeartRate),
      String(rmssd),
      `${asleepMinutes} min`,
      weekdaySteps.toLocaleString('en'),
    ]);
  }
});

test('lists every source that it cites, and cites every source that it lists', () => {
  const list = section('Sources');
  const listed = [...list.matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name!);
  const text = page.slice(0, page.indexOf('\n## Sources\n'));
  const cited = [...text.matchAll(/\[([A-Z][^[\]"]*)\](?!\()/g)].flatMap(([, names]) => names!.split(', '));
  const named = [...new Set(cited)];
  expect(named.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !named.includes(name))).toEqual([]);
});
