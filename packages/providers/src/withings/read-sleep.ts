import { dayMs } from '@tributary/domain';
import { fieldsOf, listOf, mapped, numberOf } from '../mapping/read.ts';
import type { Documents, Span, UserApi } from '../provider.ts';
import { datesAround } from '../span.ts';
import { callAction, pagesOf } from './call-action.ts';
import { stageFields, summaryFields } from './map/sleep.ts';

/** Withings silently cuts off more than a week. */
const mostDates = 7;

/** Sleeps that overlap a span, each as `{ summary, stages }`. */
export async function* readSleep(api: UserApi, span: Span): AsyncGenerator<Documents> {
  for (const { from, to } of weeksOf(datesAround(span))) {
    const form = {
      action: 'getsummary',
      startdateymd: from,
      enddateymd: to,
      data_fields: summaryFields.join(','),
    };
    for await (const summaries of pagesOf(api, '/v2/sleep', form, 'series')) {
      const documents: unknown[] = [];
      for (const summary of summaries.filter((one) => touches(one, span)))
        documents.push({ summary, stages: await readStages(api, summary) });
      if (documents.length > 0) yield documents;
    }
  }
}

async function readStages(api: UserApi, summary: unknown): Promise<Documents> {
  const { startdate, enddate } = fieldsOf(summary);
  const form = {
    action: 'get',
    startdate: Number(startdate),
    enddate: Number(enddate),
    data_fields: stageFields.join(','),
  };
  return listOf((await callAction(api, '/v2/sleep', form))['series']);
}

function touches(summary: unknown, { fromMs, toMs }: Span): boolean {
  const { startdate, enddate } = fieldsOf(summary);
  const startMs = mapped(numberOf(startdate), (seconds) => seconds * 1000);
  const endMs = mapped(numberOf(enddate), (seconds) => seconds * 1000);
  return startMs !== null && endMs !== null && startMs < toMs && endMs >= fromMs;
}

function weeksOf({ from, to }: { from: string; to: string }): { from: string; to: string }[] {
  const weeks: { from: string; to: string }[] = [];
  const lastMs = Date.parse(to);
  for (let ms = Date.parse(from); ms <= lastMs; ms += mostDates * dayMs)
    weeks.push({ from: dateAt(ms), to: dateAt(Math.min(lastMs, ms + (mostDates - 1) * dayMs)) });
  return weeks;
}

function dateAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
