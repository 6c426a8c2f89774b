import { fires, staysQuiet, unlessDatabaseIsDown, type Alert } from './alert.ts';

const a = 'job="tributary",instance="a"';

/** An alert on the age of the oldest item of a queue in the database. */
function ageAlert(
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
function lagAlert(
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

/** Whether work is done in time, and without failures. */
export const workAlerts: readonly Alert[] = [
  ageAlert(
    'UploadsDelayed',
    'uploads',
    { seconds: 30, for: '20s', firesAt: '30s' },
    { severity: 'page', summary: 'Uploads are not processed within 30 seconds.' },
  ),
  {
    name: 'DeadLetters',
    severity: 'ticket',
    summary: 'Batches could not be processed and became dead letters.',
    expr: 'sum(increase(tributary_ingest_dead_letters_total[15m])) > 0',
    cases: [
      fires({ [`tributary_ingest_dead_letters_total{${a}}`]: '0x5 1x100' }, '2m'),
      staysQuiet({ [`tributary_ingest_dead_letters_total{${a}}`]: '7x100' }, '10m'),
      staysQuiet({ [`tributary_ingest_dead_letters_total{${a}}`]: '0x5 1x200' }, '30m'),
    ],
  },
  lagAlert(
    'EventsDelayed',
    'tributary_feed_lag_seconds',
    { seconds: 10, for: '20s' },
    { severity: 'page', summary: 'Events wait more than 10 seconds for their feed position.' },
  ),
  lagAlert(
    'WebhooksDelayed',
    'tributary_delivery_lag_seconds',
    { seconds: 60, for: '30s' },
    {
      severity: 'page',
      summary: 'Webhook deliveries to endpoints that respond are more than a minute late.',
    },
  ),
  {
    name: 'WebhookEndpointsFail',
    severity: 'ticket',
    summary: 'More webhook attempts fail than succeed.',
    expr: `${attemptRate('pending')} > 0.1 and ${attemptRate('pending')} > (${attemptRate('succeeded')} or vector(0))`,
    for: '30s',
    cases: [
      fires({ [attempts('pending')]: '0+2x50' }, '100s'),
      fires({ [attempts('pending')]: '0+3x50', [attempts('succeeded')]: '0+2x50' }, '4m'),
      staysQuiet({ [attempts('pending')]: '0+2x50', [attempts('succeeded')]: '0+3x50' }, '4m'),
      staysQuiet({ [attempts('pending')]: '0 1 2x50' }, '4m'),
    ],
  },
  {
    name: 'WebhookDeliveriesFailed',
    severity: 'ticket',
    summary: 'Webhook deliveries ran out of attempts.',
    expr: 'sum(increase(tributary_delivery_attempts_total{outcome="failed"}[1h])) > 10',
    cases: [
      fires({ [attempts('failed')]: '0+1x60' }, '10m'),
      staysQuiet({ [attempts('failed')]: '0+1x5 6x60', [attempts('pending')]: '0+9x60' }, '10m'),
    ],
  },
  ageAlert(
    'ProviderPushesDelayed',
    'provider-pushes',
    { seconds: 60, for: '1m', firesAt: '90s' },
    { severity: 'ticket', summary: 'Pushes of providers are not dispatched within a minute.' },
  ),
  ageAlert(
    'SyncsDelayed',
    'syncs',
    { seconds: 900, for: '5m', firesAt: '6m' },
    { severity: 'ticket', summary: 'Connections have been due for more than 15 minutes.' },
  ),
  ageAlert(
    'HistoryImportsDelayed',
    'history-imports',
    { seconds: 21_600, for: '10m', firesAt: '11m' },
    { severity: 'ticket', summary: 'History of new connections has waited for more than six hours.' },
  ),
  ageAlert(
    'HistoryDocumentsDelayed',
    'history-documents',
    { seconds: 21_600, for: '10m', firesAt: '11m' },
    { severity: 'ticket', summary: 'Documents of provider histories have waited for more than six hours.' },
  ),
  {
    name: 'ProviderCallsFail',
    severity: 'ticket',
    summary: 'Most sync runs of the provider {{ $labels.provider }} fail.',
    expr: `${syncRate('outcome=~"unavailable|refused|unauthorized"')} > 0.5 * ${syncRate()}`,
    for: '1m',
    cases: [
      fires({ [syncRuns('oura', 'unavailable')]: '0+3x60', [syncRuns('oura', 'ok')]: '0+2x60' }, '90s', {
        provider: 'oura',
      }),
      staysQuiet({ [syncRuns('oura', 'unavailable')]: '0+2x60', [syncRuns('oura', 'ok')]: '0+3x60' }, '5m'),
      staysQuiet({ [syncRuns('oura', 'consent_ended')]: '0+3x60' }, '5m'),
    ],
  },
  {
    name: 'ProviderLimitReached',
    severity: 'ticket',
    summary: 'Sync runs of the provider {{ $labels.provider }} wait for its rate limit.',
    expr: `${syncRate('outcome="limited"')} > 0.2 * ${syncRate()}`,
    for: '15m',
    cases: [
      fires({ [syncRuns('whoop', 'limited')]: '0+1x150', [syncRuns('whoop', 'ok')]: '0+3x150' }, '20m', {
        provider: 'whoop',
      }),
      staysQuiet({ [syncRuns('whoop', 'limited')]: '0+1x150', [syncRuns('whoop', 'ok')]: '0+5x150' }),
    ],
  },
  ageAlert(
    'TokenRenewalsDelayed',
    'token-renewals',
    { seconds: 120, for: '30s', firesAt: '50s' },
    { severity: 'page', summary: 'Provider tokens are not refreshed within two minutes.' },
  ),
  {
    name: 'TokenRenewalsFail',
    severity: 'ticket',
    summary: 'Most refreshes of provider tokens fail.',
    expr: `${renewalRate('outcome!~"renewed|consent_ended"')} > 0.5 * ${renewalRate()}`,
    for: '2m',
    cases: [
      fires({ [renewals('unavailable')]: '0+3x60', [renewals('renewed')]: '0+2x60' }, '3m'),
      staysQuiet({ [renewals('consent_ended')]: '0+3x60', [renewals('renewed')]: '0+2x60' }, '5m'),
    ],
  },
  ageAlert(
    'ScoresDelayed',
    'scores',
    { seconds: 600, for: '2m', firesAt: '3m' },
    { severity: 'ticket', summary: 'Scores have been due for more than ten minutes.' },
  ),
  ageAlert(
    'ErasuresDelayed',
    'erasures',
    { seconds: 7_200, for: '5m', firesAt: '6m' },
    { severity: 'page', summary: 'An erasure has not finished within two hours.' },
  ),
  {
    name: 'JobsDelayed',
    severity: 'ticket',
    summary: 'Jobs of the queue {{ $labels.queue }} have been due for more than ten minutes.',
    expr: 'max by (queue) (tributary_job_lag_seconds) > 600',
    for: '2m',
    cases: [
      fires({ [`tributary_job_lag_seconds{${a},queue="erase-user"}`]: '601x30' }, '3m', {
        queue: 'erase-user',
      }),
      staysQuiet({ [`tributary_job_lag_seconds{${a},queue="erase-user"}`]: '600x30' }, '4m'),
    ],
  },
  {
    name: 'JobsFail',
    severity: 'ticket',
    summary: 'Jobs of the queue {{ $labels.queue }} fail again and again.',
    // Everything fails while the database is down, and this window still contains it afterwards.
    expr: '(sum by (queue) (increase(tributary_job_failures_total[10m])) > 10) unless on () (min_over_time(tributary_component_ok{component="database"}[10m]) == 0)',
    cases: [
      fires({ [`tributary_job_failures_total{${a},queue="scores"}`]: '0+1x60' }, '5m', { queue: 'scores' }),
      staysQuiet(
        {
          [`tributary_job_failures_total{${a},queue="scores"}`]: '0+4x10 40x60',
          [`tributary_component_ok{${a},component="database"}`]: '0x10 1x60',
        },
        '5m',
      ),
      staysQuiet({ [`tributary_job_failures_total{${a},queue="scores"}`]: '0+1x5 6x60' }, '5m'),
    ],
  },
  {
    name: 'MailFails',
    severity: 'ticket',
    summary: 'The mail server accepts no email.',
    expr: 'sum(increase(tributary_mails_total{outcome="delayed"}[10m])) > 0 unless sum(increase(tributary_mails_total{outcome="sent"}[10m])) > 0',
    for: '30s',
    cases: [
      fires({ [mails('delayed')]: '1x5 2x50' }, '100s'),
      staysQuiet({ [mails('delayed')]: '1x5 2x50', [mails('sent')]: '1x5 2x50' }, '3m'),
      staysQuiet({ [mails('delayed')]: '2x50' }, '3m'),
    ],
  },
  lagAlert(
    'AuditDelayed',
    'tributary_audit_lag_seconds',
    { seconds: 60, for: '20s' },
    { severity: 'ticket', summary: 'Audit entries wait more than a minute to be chained.' },
  ),
  {
    name: 'AuditModified',
    severity: 'page',
    summary: 'Another writer modified the audit log.',
    expr: 'sum(increase(tributary_audit_alarms_total[15m])) > 0',
    cases: [
      fires({ [`tributary_audit_alarms_total{${a}}`]: '0x5 1x100' }, '70s'),
      staysQuiet({ [`tributary_audit_alarms_total{${a}}`]: '0x100' }, '10m'),
    ],
  },
  {
    name: 'AccessRecordsDelayed',
    severity: 'page',
    summary: 'The process {{ $labels.instance }} cannot write access records.',
    expr: unlessDatabaseIsDown('tributary_access_records_lag_seconds > 10'),
    for: '20s',
    cases: [
      fires({ [`tributary_access_records_lag_seconds{${a}}`]: '11x10' }, '30s', {
        job: 'tributary',
        instance: 'a',
      }),
      staysQuiet({ [`tributary_access_records_lag_seconds{${a}}`]: '10x10' }, '1m'),
      staysQuiet(
        {
          [`tributary_access_records_lag_seconds{${a}}`]: '11x10',
          [`tributary_component_ok{${a},component="database"}`]: '0x10',
        },
        '1m',
      ),
    ],
  },
];

function attempts(outcome: string): string {
  return `tributary_delivery_attempts_total{${a},outcome="${outcome}"}`;
}

function attemptRate(outcome: string): string {
  return `sum(rate(tributary_delivery_attempts_total{outcome="${outcome}"}[2m]))`;
}

function syncRuns(provider: string, outcome: string): string {
  return `tributary_sync_runs_total{${a},provider="${provider}",cause="poll",outcome="${outcome}"}`;
}

function syncRate(matcher = ''): string {
  return `sum by (provider) (rate(tributary_sync_runs_total{${matcher}}[10m]))`.replace('{}', '');
}

function renewals(outcome: string): string {
  return `tributary_token_renewals_total{${a},outcome="${outcome}"}`;
}

function renewalRate(matcher = ''): string {
  return `sum(rate(tributary_token_renewals_total{${matcher}}[10m]))`.replace('{}', '');
}

function mails(outcome: string): string {
  return `tributary_mails_total{${a},outcome="${outcome}"}`;
}
