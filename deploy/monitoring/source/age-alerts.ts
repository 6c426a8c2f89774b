import { fires, staysQuiet, type Alert } from './alert.ts';

const a = 'job="tributary",instance="a"';

/** An alert on the age of the oldest item of a queue in the database. */
export function ageAlert(
  name: string,
  queue: string,
  limit: { seconds: number; for: string; firesAt: string },
  { severity, summary }: Pick<Alert, 'severity' | 'summary'>,
): Alert {
  const series = `tributary_backlog_age_seconds{${a},queue="${queue}"}`;
  return {
    name,
    severity,
    summary,
    expr: `max(tributary_backlog_age_seconds{queue="${queue}"}) > ${limit.seconds}`,
    for: limit.for,
    cases: [
      fires({ [series]: `${limit.seconds + 1}x100` }, limit.firesAt),
      staysQuiet({ [series]: `${limit.seconds}x100` }, limit.firesAt),
      staysQuiet(
        { [`tributary_backlog_age_seconds{${a},queue="other"}`]: `${limit.seconds + 1}x100` },
        limit.firesAt,
      ),
    ],
  };
}

/** An alert on a lag that one process reports, or several. */
export function lagAlert(
  name: string,
  metric: string,
  limit: { seconds: number; for: `${number}s` },
  { severity, summary }: Pick<Alert, 'severity' | 'summary'>,
): Alert {
  const other = `${metric}{job="tributary",instance="b"}`;
  const firesAt = `${Number.parseInt(limit.for, 10) + 10}s`;
  return {
    name,
    severity,
    summary,
    expr: `max(${metric}) > ${limit.seconds}`,
    for: limit.for,
    cases: [
      fires({ [`${metric}{${a}}`]: `${limit.seconds + 1}x30`, [other]: '0x30' }, firesAt),
      staysQuiet({ [`${metric}{${a}}`]: `${limit.seconds}x30` }, firesAt),
      staysQuiet({ [`${metric}{${a}}`]: `${limit.seconds + 1} 0x30` }, firesAt),
    ],
  };
}
