import {
  addDays,
  normDays,
  observedDays,
  placeInMonth,
  RecipeComparison,
  scoreDay,
  scoreTypes,
  type DayNumber,
  type DayRange,
  type PersonDays,
  type RecipeDifference,
  type RecipeVersion,
} from '@tributary/domain';
import type { Context } from '../../context.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { readScoreDays, readScoredSleep, readWorkoutHighs, toNorms } from '../../store/scores/days.ts';
import { readPersonMonths } from '../../store/scores/months.ts';
import { listScoredUsers, type ScoredUser, type ScoredUserFilter } from '../../store/scores/scored-users.ts';
import { loadPersonDays, neededFor } from './load-person-days.ts';

export interface BacktestInput extends ScoredUserFilter {
  first: RecipeVersion;
  second: RecipeVersion;
}

export interface Backtest {
  users: number;
  scores: RecipeDifference[];
}

const usersAtOnce = 100;
/** Days of a user that are in memory at the same time. */
const daysAtOnce = 92;

/** Compares two recipes over all stored days of some users. Reads only, and holds one user's quarter in memory. */
export async function backtestRecipes(
  ctx: Pick<Context, 'operator' | 'clock'>,
  { first, second, ...filter }: BacktestInput,
): Promise<Backtest> {
  const comparison = new RecipeComparison();
  let users = 0;
  let afterId: string | null = null;
  for (;;) {
    const page = await listScoredUsers(ctx.operator, filter, afterId, usersAtOnce);
    for (const user of page) await compareUser(ctx, user, [first, second], comparison);
    users += page.length;
    if (page.length < usersAtOnce) break;
    afterId = page.at(-1)!.userId;
  }
  return { users, scores: comparison.results() };
}

/** A short transaction per user, so that a long comparison does not hold back the cleanup of old rows. */
async function compareUser(
  { operator, clock }: Pick<Context, 'operator' | 'clock'>,
  user: ScoredUser,
  versions: readonly [RecipeVersion, RecipeVersion],
  comparison: RecipeComparison,
): Promise<void> {
  const nowMs = addDays(clock.now(), user.timezones, user.daysAhead);
  const chains = versions.map((version) => ({ version, derived: new DerivedDays() }));
  await inTransaction(
    operator,
    async (tx) => {
      for (let from = user.from; from <= user.to; from += daysAtOnce) {
        const span = { from, to: Math.min(user.to, from + daysAtOnce - 1) };
        const load = await loadSpan(tx, user, span);
        const [first, second] = chains.map(({ version, derived }) =>
          scoreSpan(load(), span, { version, derived, nowMs }),
        );
        for (const type of scoreTypes)
          for (const [at, scores] of first!.entries()) comparison.add(type, scores[type], second![at]![type]);
      }
    },
    [{ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] }],
  );
}

/** Reads everything that the scores of a span depend on. Returns a function that assembles it for one recipe. */
async function loadSpan(tx: Queryable, user: ScoredUser, span: DayRange): Promise<() => PersonDays> {
  const { userId } = user;
  const { sleep, scoreDays, workoutHighs } = neededFor(span);
  const months = await readPersonMonths(tx, [
    {
      userId,
      highestSince: placeInMonth(span.from - observedDays).month,
      historySince: placeInMonth(span.from - normDays).month,
      first: placeInMonth(span.from).month,
      last: placeInMonth(span.to).month,
    },
  ]);
  const rows = await readScoreDays(tx, [{ userId, ...scoreDays }]);
  const nights = await readScoredSleep(tx, [{ userId, ...sleep }]);
  const highs = await readWorkoutHighs(tx, [{ userId, ...workoutHighs }]);
  return () => {
    const stored = { months, scoreDays: rows, sleep: nights, workoutHighs: highs };
    const days = loadPersonDays(user, span, stored);
    for (const { day, norms } of rows) if (norms) days.norms.set(day, toNorms(norms));
    return days;
  };
}

type DayScores = Record<(typeof scoreTypes)[number], number | null>;

function scoreSpan(
  days: PersonDays,
  { from, to }: DayRange,
  { version, derived, nowMs }: { version: RecipeVersion; derived: DerivedDays; nowMs: number },
): DayScores[] {
  derived.replaceIn(days);
  const scored: DayScores[] = [];
  for (let day = from; day <= to; day += 1) {
    const { scores } = scoreDay(days, day, nowMs, version);
    scored.push(
      Object.fromEntries(scoreTypes.map((type) => [type, scores[type]?.value ?? null])) as DayScores,
    );
    derived.note(days, day);
  }
  return scored;
}

const derivedMetrics = ['training_load', 'energy_reserve_score'] as const;

/** Values of the latest days that a recipe computed and later days depend on. They replace the stored ones, which may be of another recipe. */
class DerivedDays {
  readonly #values = new Map<DayNumber, (number | null)[]>();

  note(days: PersonDays, day: DayNumber): void {
    this.#values.set(
      day,
      derivedMetrics.map((id) => days.valueOf(id, day)),
    );
    this.#values.delete(day - normDays);
  }

  replaceIn(days: PersonDays): void {
    for (const [day, values] of this.#values)
      derivedMetrics.forEach((id, at) => days.set(id, day, values[at]!));
  }
}
