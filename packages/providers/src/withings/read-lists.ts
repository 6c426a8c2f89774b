import type { Documents, Span, UserApi } from '../provider.ts';
import { datesAround } from '../span.ts';
import { pagesOf } from './call-action.ts';
import { activityFields } from './map/activity.ts';
import { measureTypes } from './map/measures.ts';
import { workoutFields } from './map/workout.ts';

/** The summaries of the dates that a span may include. */
export function readActivity(api: UserApi, span: Span): AsyncIterable<Documents> {
  const form = { action: 'getactivity', ...datesOf(span), data_fields: activityFields.join(',') };
  return pagesOf(api, '/v2/measure', form, 'activities');
}

/** The workouts of the dates that a span may include. */
export function readWorkouts(api: UserApi, span: Span): AsyncIterable<Documents> {
  const form = { action: 'getworkouts', ...datesOf(span), data_fields: workoutFields.join(',') };
  return pagesOf(api, '/v2/measure', form, 'series');
}

/** The measurements in a span, without goals. */
export function readMeasures(api: UserApi, { fromMs, toMs }: Span): AsyncIterable<Documents> {
  const form = {
    action: 'getmeas',
    category: 1,
    meastypes: measureTypes.join(','),
    startdate: Math.floor(fromMs / 1000),
    enddate: Math.ceil(toMs / 1000),
  };
  return pagesOf(api, '/measure', form, 'measuregrps');
}

function datesOf(span: Span): { startdateymd: string; enddateymd: string } {
  const { from, to } = datesAround(span);
  return { startdateymd: from, enddateymd: to };
}
