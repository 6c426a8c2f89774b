import { scoreMetrics } from '@tributary/domain';

const isOfScores = new Set(scoreMetrics);

interface Row {
  metric?: string;
  strain?: unknown;
}

interface ResponseBody extends Row {
  data?: Row[];
  series?: Record<string, unknown[]>;
}

/** Removes scores from a response. The naive model only knows device data, and scores have their own tests. */
export function withoutScores<Body>(body: Body): Body {
  const response = body as ResponseBody;
  for (const [metric, values] of Object.entries(response.series ?? {}))
    if (isOfScores.has(metric)) values.fill(null);
  if ('strain' in response) response.strain = null;
  if (!Array.isArray(response.data)) return body;
  for (const row of response.data) if ('strain' in row) row.strain = null;
  response.data = response.data.filter(({ metric }) => !isOfScores.has(metric ?? ''));
  return body;
}
