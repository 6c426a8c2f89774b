import { addDays, dayOf, findMetric, observedDays, type DayNumber } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { insertEvents, type Event } from '../../store/events/events.ts';
import { markUsersScored } from '../../store/scores/days.ts';
import { postponeScores, returnStaleDays, takeStaleUsers, type StaleUser } from '../../store/scores/stale.ts';
import { describeChangedDays } from '../events/changed-days.ts';
import { noOutcome, type Outcome } from './publish-day.ts';
import { scoreTogether, type Scoring } from './score-together.ts';

/** Days of one user scored before the results are written, so that a long history does not fill the memory. */
const daysAtOnce = 92;
/** Days from the first to the last stale day of one user that are scored in one transaction. The next transaction continues. */
const longestSpan = 4 * daysAtOnce;

/**
 * Computes the scores of those of the users that are due in one transaction, and returns their number. Reports progress, as this may take a while.
 */
export function scoreStaleUsers(
  ctx: Pick<Context, 'operator' | 'newId' | 'clock' | 'metrics'>,
  userIds: readonly string[],
  onProgress: () => void = () => {},
): Promise<number> {
  return inTransaction(ctx.operator, async (tx) => {
    const users = await takeStaleUsers(tx, userIds);
    const scored = users.map((user) => {
      const nowMs = addDays(ctx.clock.now(), user.timezones, user.daysAhead);
      const { first, later } = splitHistory(user);
      return { user: withNeighbors(first, dayOf(nowMs, user.timezones)), later, nowMs, outcome: noOutcome() };
    });
    let rounds = scored.map((one) => scoreRunsOf(one)).filter((pieces) => pieces.length > 0);
    while (rounds.length > 0) {
      await scoreTogether(
        tx,
        rounds.map(([next]) => next!),
      );
      onProgress();
      rounds = rounds.map(([, ...rest]) => rest).filter((rest) => rest.length > 0);
    }
    if (users.length > 0) await writeOutcomes(ctx, tx, scored);
    const rest = scored.flatMap(({ later }) => later ?? []);
    if (rest.length > 0) await returnStaleDays(tx, rest);
    ctx.metrics.scoreRuns.inc(users.length);
    return users.length;
  });
}

type Scored = Omit<Scoring, 'span'> & { later: StaleUser | null };

/** The stale days of a user that one transaction scores, and the later ones. */
function splitHistory(user: StaleUser): { first: StaleUser; later: StaleUser | null } {
  const { days, urgentDays, again } = user;
  const lastDay = Math.min(...days.slice(0, 1), ...again.slice(0, 1)) + longestSpan - 1;
  if (Math.max(days.at(-1) ?? 0, again.at(-1) ?? 0) <= lastDay) return { first: user, later: null };
  const part = (isChosen: (day: DayNumber) => boolean) => ({
    ...user,
    days: days.filter(isChosen),
    urgentDays: new Set([...urgentDays].filter(isChosen)),
    again: again.filter(isChosen),
  });
  return { first: part((day) => day <= lastDay), later: part((day) => day > lastDay) };
}

/** Sleep that ends on a day may start on the previous evening, and a workout may end on the next day, so these days are recomputed too. */
function withNeighbors(user: StaleUser, today: DayNumber): StaleUser {
  const days = new Set(user.days);
  for (const day of user.urgentDays) days.add(day - 1);
  for (const day of user.days) if (day < today) days.add(day + 1);
  return { ...user, days: [...days].sort((a, b) => a - b) };
}

/** The days that a change affects, in pieces that are scored one after another. */
function scoreRunsOf({ user, later, nowMs, outcome }: Scored): Scoring[] {
  const days = [...user.days, ...user.again].sort((a, b) => a - b);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  // Norms cover the last two months, and the highest heart rate the last half year. A late change affects that many days.
  const reach = Math.min(dayOf(nowMs, user.timezones), last + observedDays);
  // The transaction that scores the later days covers all from the first of them.
  const untilLater = Math.min(...(later ? [...later.days.slice(0, 1), ...later.again.slice(0, 1)] : [])) - 1;
  const end = Math.max(last, Math.min(reach, untilLater));
  const scoreRuns: Scoring[] = [];
  for (let from = first; from <= end; from += daysAtOnce)
    scoreRuns.push({ user, nowMs, outcome, span: { from, to: Math.min(end, from + daysAtOnce - 1) } });
  return scoreRuns;
}

async function writeOutcomes(
  ctx: Pick<Context, 'newId'>,
  tx: Queryable,
  scored: readonly Scored[],
): Promise<void> {
  const postponed = scored.filter(({ outcome }) => outcome.postponed.days.size > 0);
  const events = scored.filter(({ outcome }) => isDifferent(outcome)).map((one) => eventOf(one, ctx.newId()));
  const users = scored.flatMap(({ user: { userId, scoreStatus }, later, outcome }) => {
    const published = isDifferent(outcome);
    const isReady = scoreStatus === 'ready' || (published && !later);
    const status = isReady ? 'ready' : later ? 'computing' : 'pending';
    return outcome.published || !isReady ? [{ userId, published, status } as const] : [];
  });
  await Promise.all([
    postponed.length > 0 &&
      postponeScores(
        tx,
        postponed.map(
          ({ user: { userId, accountId, timezones, daysAhead }, outcome: { postponed: later } }) => ({
            userId,
            accountId,
            dueMs: addDays(later.dueMs, timezones, -daysAhead),
            days: later.days,
          }),
        ),
      ),
    events.length > 0 && insertEvents(tx, events),
    users.length > 0 && markUsersScored(tx, users),
  ]);
}

function isDifferent({ changed }: Outcome): boolean {
  return changed.types.size > 0;
}

function eventOf({ user, nowMs, outcome: { changed } }: Scored, id: string): Event {
  const { accountId, environment, userId, timezones } = user;
  return {
    id,
    accountId,
    environment,
    userId,
    type: 'score.updated',
    deviceId: null,
    metrics: [...changed.types].map((type) => findMetric(type)!.no).sort((a, b) => a - b),
    data: describeChangedDays('updated', { from: changed.first, to: changed.last }, dayOf(nowMs, timezones)),
  };
}
