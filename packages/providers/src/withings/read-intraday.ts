import { fieldsOf, type Fields } from '../mapping/read.ts';
import type { Documents, Span, UserApi } from '../provider.ts';
import { datesAround, piecesOf } from '../span.ts';
import { callAction } from './call-action.ts';
import { intradayFields } from './map/intraday.ts';
import { readActivity } from './read-lists.ts';

const daySeconds = 86_400;

/** A watch's records, one day at a time, as `{ series, days }`. The summaries contain the zone and device. */
export async function* readIntraday(api: UserApi, span: Span): AsyncGenerator<Documents> {
  const days: Fields[] = [];
  for await (const page of readActivity(api, span)) days.push(...page.map(headOf));
  for (const piece of piecesOf(span, 1)) {
    const { fromMs, toMs } = piece;
    const startdate = Math.floor(fromMs / 1000);
    const { series } = await callAction(api, '/v2/measure', {
      action: 'getintradayactivity',
      startdate,
      enddate: Math.min(Math.ceil(toMs / 1000), startdate + daySeconds),
      data_fields: intradayFields.join(','),
    });
    // An empty one is returned as a list.
    if (Object.keys(fieldsOf(series)).length > 0) yield [{ series, days: daysOf(days, piece) }];
  }
}

function daysOf(days: readonly Fields[], piece: Span): Fields[] {
  const { from, to } = datesAround(piece);
  return days.filter(({ date }) => String(date) >= from && String(date) <= to);
}

function headOf(day: unknown): Fields {
  const { date, timezone, brand, is_tracker, deviceid } = fieldsOf(day);
  return { date, timezone, brand, is_tracker, deviceid };
}
