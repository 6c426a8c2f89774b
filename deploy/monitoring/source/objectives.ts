import { fires, staysQuiet, type Alert } from './alert.ts';

/** A recording rule. */
export interface Recording {
  record: string;
  expr: string;
}

const requests = 'tributary_http_request_duration_seconds';
const isApi = 'route!~"/healthz|/readyz"';
const isRead = 'method="GET",route=~"/v1/.+",route!="/v1/events/stream"';

/** Service level objectives on requests, over 30 days. */
export const objectives = {
  availability: {
    title: 'Requests that do not fail with a 5xx status',
    target: 0.999,
    badShare: (window: string) =>
      `sum(rate(${requests}_count{${isApi},status=~"5.."}[${window}])) / sum(rate(${requests}_count{${isApi}}[${window}]))`,
  },
  latency: {
    title: 'Reads of the API that take at most 250 ms',
    target: 0.99,
    badShare: (window: string) =>
      `1 - sum(rate(${requests}_bucket{${isRead},le="0.25"}[${window}])) / sum(rate(${requests}_count{${isRead}}[${window}]))`,
  },
} as const;

export type ObjectiveName = keyof typeof objectives;
const names = Object.keys(objectives) as ObjectiveName[];

/** How fast the error budget is spent: over a long window, and over a short one, so that the alert ends soon after the cause. */
const burns = [
  { suffix: 'Fast', severity: 'page', rate: 14.4, long: '1h', short: '5m' },
  { suffix: 'Slow', severity: 'ticket', rate: 6, long: '6h', short: '30m' },
] as const;

export const recordOf = (name: ObjectiveName, window: string) => `tributary:${name}_bad:ratio_rate${window}`;

export const recordings: readonly Recording[] = names.flatMap((name) =>
  ['5m', '30m', '1h', '6h'].map((window) => ({
    record: recordOf(name, window),
    expr: objectives[name].badShare(window),
  })),
);

const count = (status: string) => `${requests}_count{method="GET",route="/v1/users",status="${status}"}`;
const bucket = (le: string) => `${requests}_bucket{method="GET",route="/v1/users",status="200",le="${le}"}`;
const mostSamples = 400;
const samplesOf = { '1h': 60, '6h': 360 } as const;

/** A counter that grows at one rate for some samples, then at another. */
const counter = (perSample: number, samples: number, later: number) =>
  `0+${perSample}x${samples} ${perSample * (samples + 1)}+${later}x${mostSamples}`;

/** Series of 100 requests every minute, a part of which is bad for some samples. */
const seriesOf: Record<ObjectiveName, (bad: number, samples: number) => Record<string, string>> = {
  availability: (bad, samples) => ({
    [count('200')]: counter(100 - bad, samples, 100),
    [count('503')]: counter(bad, samples, 0),
  }),
  latency: (bad, samples) => ({
    [count('200')]: counter(100, samples, 100),
    [bucket('0.25')]: counter(100 - bad, samples, 100),
  }),
};

/** Alerts on the error budgets. A budget of 1 % is spent 20 times too fast if 20 % of requests are bad. */
export const objectiveAlerts: readonly Alert[] = names.flatMap((name) =>
  burns.map(({ suffix, severity, rate, long, short }) => {
    const threshold = Number((rate * (1 - objectives[name].target)).toFixed(6));
    const badPercent = Math.ceil(threshold * 100) + 1;
    const [series, samples] = [seriesOf[name], samplesOf[long]];
    return {
      name: `${name[0]!.toUpperCase()}${name.slice(1)}BudgetBurns${suffix}`,
      severity,
      hasLongWindows: true,
      summary: `The error budget of 30 days is spent ${rate} times too fast. Objective: ${objectives[name].title.toLowerCase()}.`,
      expr: `${recordOf(name, long)} > ${threshold} and ${recordOf(name, short)} > ${threshold}`,
      cases: [
        fires(series(badPercent, samples), long),
        staysQuiet(series(badPercent - 2, samples), long),
        // The cause has ended, although the long window still contains it.
        staysQuiet(series(90, samples / 2), long),
      ],
    };
  }),
);
