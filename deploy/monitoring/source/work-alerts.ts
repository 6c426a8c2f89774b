import { ageAlert, lagAlert } from './age-alerts.ts';
import { fires, staysQuiet, unlessDatabaseIsDown, type Alert } from './alert.ts';

const a = 'job="tributary",instance="a"';

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

function mails(outcome: string): string {
  return `tributary_mails_total{${a},outcome="${outcome}"}`;
}
