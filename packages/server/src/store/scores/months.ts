import { findMetric, scoreHistories, scoreInputs, scoreMetrics } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';

const numbersOf = (ids: readonly string[]) => ids.map((id) => findMetric(id)!.no);

/** Inputs and outputs of scoring. The maximum heart rate is read further back. */
export const personMetrics: readonly number[] = numbersOf([...new Set([...scoreInputs, ...scoreMetrics])]);
const histories = numbersOf(scoreHistories);
export const highestHeartRate = findMetric('heart_rate_max')!.no;

/** The months of a user that scoring reads: all metrics from `first` to `last`, some of them earlier, the maximum heart rate still earlier. */
export interface PersonMonths {
  userId: string;
  highestSince: number;
  historySince: number;
  first: number;
  last: number;
}

export interface PersonMonth {
  userId: string;
  metricNo: number;
  month: number;
  content: Buffer;
}

const columns = `m.metric_no AS "metricNo", m.month, m.detail AS content FROM canonical_months m WHERE m.user_id = k.user_id`;

/** The canonical months of some users that scoring reads. */
export async function readPersonMonths(
  tx: Queryable,
  wanted: readonly PersonMonths[],
): Promise<PersonMonth[]> {
  const result = await tx.query<PersonMonth>({
    name: 'score-months/read',
    text: `SELECT k.user_id AS "userId", m.* FROM unnest($1::uuid[], $2::int4[], $3::int4[], $4::int4[], $5::int4[])
             AS k (user_id, highest_since, history_since, first, last),
           LATERAL (
             SELECT ${columns} AND m.metric_no = ANY ($6::int2[]) AND m.month BETWEEN k.first AND k.last
             UNION ALL
             SELECT ${columns} AND m.metric_no = ANY ($7::int2[]) AND m.month BETWEEN k.history_since AND k.first - 1
             UNION ALL
             SELECT ${columns} AND m.metric_no = $8::int2 AND m.month BETWEEN k.highest_since AND k.first - 1
           ) AS m`,
    values: [
      wanted.map(({ userId }) => userId),
      wanted.map(({ highestSince }) => highestSince),
      wanted.map(({ historySince }) => historySince),
      wanted.map(({ first }) => first),
      wanted.map(({ last }) => last),
      personMetrics,
      histories,
      highestHeartRate,
    ],
  });
  return result.rows;
}
