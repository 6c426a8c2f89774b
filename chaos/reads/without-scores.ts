import { scoreMetrics } from '@tributary/domain';

const isOfScores = new Set(scoreMetrics);

interface Row {
  metric?: string;
  timestamp?: string;
  value?: unknown;
  strain?: unknown;
}

interface Answer extends Row {
  data?: Row[];
  series?: Record<string, unknown[]>;
}

/** Removes scores from a response. The naive model only knows device data, and scores have their own tests. */
export function withoutScores<Body>(body: Body): Body {
  const answer = body as Answer;
  for (const [metric, values] of Object.entries(answer.series ?? {}))
    if (isOfScores.has(metric)) values.fill(null);
  if ('strain' in answer) answer.strain = null;
  if (!Array.isArray(answer.data)) return body;
  for (const row of answer.data) {
    if ('strain' in row) row.strain = null;
    if (row.metric !== undefined && isOfScores.has(row.metric)) row.value = null;
  }
  // Only the service itself creates stress samples.
  answer.data = answer.data.filter(({ metric, timestamp }) => !(timestamp && isOfScores.has(metric ?? '')));
  return body;
}
