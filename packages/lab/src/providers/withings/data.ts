import type { FastifyInstance } from 'fastify';
import type { Frame } from '../../provider.ts';
import { activity, intraday, isEchoOfPhone } from './activity.ts';
import type { Values } from './activity.ts';
import { activityOf, completionOf, seen, sleepOf, workoutOf } from './documents.ts';
import { limitRange, daysIn, pageOf, rangeOf, timeOf } from './range.ts';
import type { Fields, Listed } from './range.ts';
import { serveActions } from './rpc.ts';
import type { Call } from './rpc.ts';
import { reportedSleepOf, sleepSeries, sleepSummary } from './sleep.ts';
import { workoutSeries } from './workout.ts';

const summaryDays = 7;

/** Serves days, workouts and sleep. */
export function serveData(app: FastifyInstance, frame: Frame, opened: number): void {
  const scope = 'user.activity';
  serveActions(app, frame, '/wbsapi/v2/measure', {
    getactivity: { scope, run: (call) => getActivity(frame, opened, call) },
    getintradayactivity: { scope, run: (call) => getIntraday(frame, opened, call) },
    getworkouts: { scope, run: (call) => getWorkouts(frame, opened, call) },
  });
  serveActions(app, frame, '/wbsapi/v2/sleep', {
    getsummary: { scope, run: (call) => getSummary(frame, opened, call) },
    get: { scope, run: (call) => getSleep(frame, opened, call) },
  });
}

function getActivity(frame: Frame, opened: number, { fields, person }: Call): object {
  const range = rangeOf(fields);
  const listed = daysIn(frame, person, range, opened).flatMap((day): Listed[] => {
    const visible = seen(frame, activityOf(person, day));
    if (!visible) return [];
    const isEchoed = isEchoOfPhone(frame.chance, person.id, day.date);
    const { always, named } = activity(person.id, day, visible, isEchoed);
    return [
      {
        date: day.date,
        at: day.start,
        modified: visible.updatedAt,
        record: { ...always, ...pick(named, fields) },
      },
    ];
  });
  const { page, more, offset } = pageOf(listed, range, fields['offset']);
  return { activities: page, more, offset };
}

function getIntraday(frame: Frame, opened: number, { fields, person }: Call): object {
  const range = limitRange(timeOf(fields), 1) as ReturnType<typeof timeOf>;
  const series: Record<string, Values> = {};
  for (const day of daysIn(frame, person, range, opened)) {
    if (!seen(frame, activityOf(person, day))) continue;
    for (const [epoch, values] of intraday(day)) {
      const named = pick(values, fields);
      if (epoch >= range.start && epoch < range.end && Object.keys(named).length > 0)
        series[epoch] = { ...series[epoch], ...named };
    }
  }
  return { series: Object.keys(series).length > 0 ? series : [] };
}

function getWorkouts(frame: Frame, opened: number, { fields, person }: Call): object {
  const range = rangeOf(fields);
  const listed = daysIn(frame, person, range, opened).flatMap((day) =>
    day.workouts.flatMap((workout): Listed[] => {
      const visible = seen(frame, workoutOf(person, day, workout));
      if (!visible) return [];
      const { always, named } = workoutSeries(person.id, day, workout, visible);
      const item = { ...always, data: pick(named, fields) };
      return [{ date: day.date, at: workout.start, modified: visible.updatedAt, record: item }];
    }),
  );
  const { page, more, offset } = pageOf(listed, range, fields['offset']);
  return { series: page, more, offset };
}

function getSummary(frame: Frame, opened: number, { fields, person }: Call): object {
  const range = limitRange(rangeOf(fields), summaryDays);
  const listed = daysIn(frame, person, range, opened).flatMap((day) =>
    day.sleeps.flatMap((sleep): Listed[] => {
      const visible = seen(frame, sleepOf(person, day, sleep));
      if (!visible) return [];
      const completed = seen(frame, completionOf(person, day, sleep));
      const { always, named } = sleepSummary(person.id, day, sleep, visible, completed);
      const modified = Math.max(visible.updatedAt, completed?.updatedAt ?? 0);
      return [
        { date: day.date, at: sleep.start, modified, record: { ...always, data: pick(named, fields) } },
      ];
    }),
  );
  const { page, more, offset } = pageOf(listed, range, fields['offset']);
  return { series: page, more, offset };
}

function getSleep(frame: Frame, opened: number, { fields, person }: Call): object {
  const range = limitRange(timeOf(fields), 1) as ReturnType<typeof timeOf>;
  const series = daysIn(frame, person, range, opened).flatMap((day) =>
    day.sleeps.flatMap((sleep) => {
      const visible = seen(frame, sleepOf(person, day, sleep));
      if (!visible) return [];
      const isCompleted = seen(frame, completionOf(person, day, sleep)) !== null;
      const reportedSleep = reportedSleepOf(sleep, visible.revision, isCompleted);
      return sleepSeries(reportedSleep, namesOf(fields)).filter(
        ({ startdate }) => startdate >= range.start && startdate < range.end,
      );
    }),
  );
  return { series: series.length > 0 ? series : {} };
}

const namesIn = new WeakMap<Fields, Set<string>>();

/** Requested row by row, and the same for the whole request. */
function namesOf(fields: Fields): Set<string> {
  const names =
    namesIn.get(fields) ?? new Set((fields['data_fields'] ?? '').split(',').map((name) => name.trim()));
  namesIn.set(fields, names);
  return names;
}

/** Values are only returned if requested by name. */
function pick(values: Values, fields: Fields): Values {
  const names = namesOf(fields);
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}
