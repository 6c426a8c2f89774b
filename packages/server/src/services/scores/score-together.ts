import { setImmediate } from 'node:timers/promises';
import {
  closesAtMs,
  encodeFacts,
  encodeStress,
  epochNormDays,
  findMetric,
  glucoseDays,
  publishDelayUntilMs,
  normDays,
  observedDays,
  placeInMonth,
  scoreDay,
  type DayNumber,
  type DayRange,
  type PersonDays,
} from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import { readChunks, readDeviceDays } from '../../store/layers/reads.ts';
import { writeMonths } from '../../store/layers/writes.ts';
import {
  readScoreDays,
  readScoredSleep,
  readScoredWorkouts,
  readWorkoutHighs,
  toNorms,
  writeScoreDays,
  type ScoreDayChange,
  type ScoreDayRow,
  type UserDays,
} from '../../store/scores/days.ts';
import { readPersonMonths } from '../../store/scores/months.ts';
import type { StaleUser } from '../../store/scores/stale.ts';
import { planDays, type DayPlan } from '../timeseries/plan-days.ts';
import { chunksOf, gatherDays, sampledForScores, type Chunks } from './gather-days.ts';
import { loadPersonDays, neededFor, type PersonRows } from './load-person-days.ts';
import { postpone, publishDay, type Outcome } from './publish-day.ts';
import { ScoreMonths } from './score-months.ts';

/** Days of a locked user to score. */
export interface Scoring {
  user: StaleUser;
  span: DayRange;
  /** The user's current time. */
  nowMs: number;
  outcome: Outcome;
}

/**
 * Computes the scores of some days of several users, writes what may be published, and records the result in each outcome. One statement reads or
 * writes each kind of row for all users.
 */
export async function scoreTogether(tx: Queryable, scoreRuns: readonly Scoring[]): Promise<void> {
  const people = await loadPeople(tx, scoreRuns);
  const changes: ScoreDayChange[] = [];
  const months: ReturnType<ScoreMonths['changed']> = [];
  for (const person of people) {
    await setImmediate(); // syncing runs in the same process
    const { user, outcome } = person.scoring;
    const changed = scoreSpan(person);
    const written = person.scoreMonths.changed(user.userId);
    changes.push(...changed);
    months.push(...written);
    outcome.published ||= changed.length > 0 || written.length > 0;
  }
  await Promise.all([
    changes.length > 0 && writeScoreDays(tx, changes),
    months.length > 0 && writeMonths(tx, months),
  ]);
}

interface LoadedPerson {
  scoring: Scoring;
  days: PersonDays;
  stored: ReadonlyMap<DayNumber, ScoreDayRow>;
  stale: ReadonlySet<DayNumber>;
  scoreMonths: ScoreMonths;
}

async function loadPeople(tx: Queryable, scoreRuns: readonly Scoring[]): Promise<LoadedPerson[]> {
  const wanted = scoreRuns.map(({ user, span }) => {
    const stale = user.days.filter((day) => day >= span.from && day <= span.to);
    return { userId: user.userId, span, stale, needed: neededFor(span) };
  });
  const withStale = wanted.filter(({ stale }) => stale.length > 0);
  const [months, scoreDays, sleep, workoutHighs, workouts, deviceDays] = await Promise.all([
    readPersonMonths(
      tx,
      wanted.map(({ userId, span }) => ({
        userId,
        highestSince: placeInMonth(span.from - observedDays).month,
        historySince: placeInMonth(span.from - normDays).month,
        first: placeInMonth(span.from).month,
        last: placeInMonth(span.to).month,
      })),
    ),
    readScoreDays(
      tx,
      wanted.map(({ userId, span }) => ({ userId, ...span })),
    ),
    readScoredSleep(
      tx,
      wanted.map(({ userId, needed }) => ({ userId, ...needed.sleep })),
    ),
    readWorkoutHighs(
      tx,
      wanted.map(({ userId, needed }) => ({ userId, ...needed.workoutHighs })),
    ),
    withStale.length === 0
      ? []
      : readScoredWorkouts(
          tx,
          withStale.map(({ userId, stale }) => ({ userId, from: stale[0]! - 1, to: stale.at(-1)! })),
        ),
    withStale.length === 0
      ? []
      : readDeviceDays(
          tx,
          withStale.flatMap(({ userId, stale }) => stale.map((day) => ({ userId, day }))),
        ),
  ]);
  const monthsOf = Map.groupBy(months, ({ userId }) => userId);
  const rowsOf = Map.groupBy(scoreDays, ({ userId }) => userId);
  const sleepOf = Map.groupBy(sleep, ({ userId }) => userId);
  const highsOf = Map.groupBy(workoutHighs, ({ userId }) => userId);
  const deviceDaysOf = Map.groupBy(deviceDays, ({ userId }) => userId);

  const plansOf = new Map<string, DayPlan[]>();
  const lacking: UserDays[] = [];
  for (const [at, { userId, span, stale }] of wanted.entries()) {
    const { user } = scoreRuns[at]!;
    if (stale.length > 0) {
      const ofSamples = (monthsOf.get(userId) ?? []).filter(({ metricNo }) => sampledNumbers.has(metricNo));
      const planInput = { months: ofSamples, days: deviceDaysOf.get(userId) ?? [] };
      plansOf.set(userId, planDays({ ...user, ...planInput }, sampledForScores, stale));
    }
    lacking.push(...earlierDaysOf(user, span, rowsOf.get(userId) ?? [], monthsOf.get(userId) ?? []));
  }
  const [chunks, earlier] = await Promise.all([
    readPlanned(tx, plansOf),
    lacking.length > 0 ? readScoreDays(tx, lacking) : [],
  ]);
  const earlierOf = Map.groupBy(earlier, ({ userId }) => userId);
  return scoreRuns.map((scoring, at) => {
    const { user, span } = scoring;
    const { userId } = user;
    const rows = rowsOf.get(userId) ?? [];
    const stored: PersonRows = {
      months: monthsOf.get(userId) ?? [],
      scoreDays: [...(earlierOf.get(userId) ?? []), ...rows],
      sleep: sleepOf.get(userId) ?? [],
      workoutHighs: highsOf.get(userId) ?? [],
    };
    const days = loadPersonDays(user, span, stored);
    for (const { day, norms } of rows)
      if (norms && !normsAreStale(user, day)) days.norms.set(day, toNorms(norms));
    const own = workouts.filter((workout) => workout.userId === userId);
    gatherDays(userId, days, plansOf.get(userId) ?? [], chunks, own);
    return {
      scoring,
      days,
      stored: new Map(rows.map((row) => [row.day, row])),
      stale: new Set(wanted[at]!.stale),
      scoreMonths: new ScoreMonths(stored.months, placeInMonth(span.from).month),
    };
  });
}

const glucose = findMetric('blood_glucose')!;
const sampledNumbers = new Set(sampledForScores.map(({ no }) => no));

/** The days before the span whose facts are needed: for norms that are not stored, and for glucose. */
function earlierDaysOf(
  user: StaleUser,
  span: DayRange,
  rows: readonly ScoreDayRow[],
  months: readonly { metricNo: number }[],
): UserDays[] {
  const hasGlucose = months.some(({ metricNo }) => metricNo === glucose.no);
  const days = Math.max(lacksNorms(user, span, rows) ? epochNormDays : 0, hasGlucose ? glucoseDays - 1 : 0);
  return days === 0 ? [] : [{ userId: user.userId, from: span.from - days, to: span.from - 1 }];
}

/** Returns whether norms of a day in the span must be recomputed, which requires the two weeks before it. */
function lacksNorms(user: StaleUser, { from, to }: DayRange, rows: readonly ScoreDayRow[]): boolean {
  const known = new Set(rows.filter(({ norms }) => norms !== null).map(({ day }) => day));
  for (let day = from; day <= to; day += 1) if (!known.has(day) || normsAreStale(user, day)) return true;
  return false;
}

/** The norms of a day are computed from the two weeks before it, and stay valid until one of those days changes. */
function normsAreStale({ days }: StaleUser, day: DayNumber): boolean {
  return days.some((stale) => stale < day && stale >= day - epochNormDays);
}

async function readPlanned(tx: Queryable, plansOf: ReadonlyMap<string, DayPlan[]>): Promise<Chunks> {
  const keys = new Map([...plansOf].flatMap(([userId, plans]) => [...chunksOf(userId, plans)]));
  const names = [...keys.keys()];
  const rows = names.length > 0 ? await readChunks(tx, [...keys.values()]) : [];
  return new Map(rows.map(({ at, data }) => [names[at]!, data]));
}

const emptyFacts = encodeFacts({ coveredMinutes: 0, awake: [], workouts: [], hrvKind: null, epochs: [] });

/** Scores the days of a user in order, and returns the changed rows. */
function scoreSpan({ scoring, days, stored, stale, scoreMonths }: LoadedPerson): ScoreDayChange[] {
  const { user, span, nowMs, outcome } = scoring;
  const changes: ScoreDayChange[] = [];
  for (let day = span.from; day <= span.to; day += 1) {
    const hadNorms = days.norms.has(day);
    const scored = scoreDay(days, day, nowMs);
    const before = stored.get(day);
    const shown = publishDay(user, day, nowMs, before?.scores ?? {}, scored, scoreMonths, outcome);
    const isNew = !before && (Object.keys(shown.scores).length > 0 || hasData(days, day));
    const isDifferent = shown.changed || stale.has(day) || !hadNorms;
    if (!isNew && !(before && isDifferent)) continue;
    const facts = days.facts.get(day);
    changes.push({
      userId: user.userId,
      day,
      scores: shown.scores,
      facts: stale.has(day) && facts ? encodeFacts(facts) : (before?.facts ?? emptyFacts),
      norms: days.norms.get(day) ?? null,
      stress: scored.stress.length > 0 ? encodeStress(scored.stress) : null,
      strains: scored.strains,
      // Sandbox users get every change immediately.
      publishDelayUntilMs:
        day === span.to && user.environment === 'live'
          ? publishDelayUntilMs(scored, facts, {
              nowMs,
              isShown: shown.changed,
              heldUntilMs: shown.heldUntilMs,
            })
          : null,
    });
  }
  noteClosing(days, scoring);
  return changes;
}

/** Returns whether a day has samples or workouts. */
function hasData(days: PersonDays, day: DayNumber): boolean {
  const facts = days.facts.get(day);
  return (
    facts !== undefined && (facts.observed !== undefined || facts.coveredMinutes + facts.workouts.length > 0)
  );
}

/** The reserve of a day stays open until the next night. Without one it closes on its own, and the day is scored once more. */
function noteClosing(days: PersonDays, { span: { from, to }, nowMs, outcome }: Scoring): void {
  for (let day = Math.max(from, to - 1); day <= to; day += 1) {
    const closesMs = closesAtMs(days, day);
    if (closesMs !== null && closesMs > nowMs && !days.mainSleepOf(day + 1)) postpone(outcome, day, closesMs);
  }
}
