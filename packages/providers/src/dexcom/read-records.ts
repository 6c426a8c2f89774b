import { dayMs } from '@tributary/domain';
import { jsonOf } from '../failure.ts';
import { fieldsOf, listOf } from '../mapping/read.ts';
import type { Documents, Span, UserApi } from '../provider.ts';
import { piecesOf } from '../span.ts';
import { originOf } from './origin-of.ts';

/** The maximum range of one call. */
export const mostDays = 30;
const mostMs = mostDays * dayMs;

/** Records of a kind, by system time. */
export async function* readRecords(api: UserApi, kind: string, span: Span): AsyncGenerator<Documents> {
  for (const { fromMs, toMs } of piecesOf(span, mostDays)) {
    const startMs = Math.floor(fromMs / 1000) * 1000;
    const endMs = Math.min(Math.ceil(toMs / 1000) * 1000, startMs + mostMs);
    const response = await api.send({
      method: 'GET',
      url: `${originOf(api.app)}/v3/users/self/${kind}`,
      query: { startDate: utc(startMs), endDate: utc(endMs) },
    });
    const records = listOf(fieldsOf(jsonOf(response))['records']);
    if (records.length > 0) yield records;
  }
}

/** `2026-03-29T04:45:00`, without the `Z`. */
function utc(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
