import { objectives, recordOf, type ObjectiveName } from './objectives.ts';

type Unit = 's' | 'short' | 'reqps' | 'bytes' | 'percentunit' | 'dateTimeFromNow';

interface Panel {
  title: string;
  description?: string;
  unit: Unit;
  /** Expressions by the legend of their series. */
  queries: Readonly<Record<string, string>>;
  kind?: 'stat' | 'timeseries';
}

const requestCount = 'tributary_http_request_duration_seconds_count';
const quantile = (share: number, metric: string, by = '') =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(${metric}_bucket[$__rate_interval])))`;
const rate = (metric: string, by = '') => `sum${by} (rate(${metric}[$__rate_interval]))`;

/** The panels of the board, by row. */
const rows: Readonly<Record<string, readonly Panel[]>> = {
  State: [
    stat('Processes that are ready', 'short', 'sum(tributary_ready)'),
    stat('Processes that are not', 'short', 'count(tributary_ready == 0) or vector(0)'),
    ...(Object.keys(objectives) as ObjectiveName[]).map((name) =>
      stat(`Bad requests in an hour: ${name}`, 'percentunit', recordOf(name, '1h')),
    ),
    lines('Components', 'short', { '{{component}}': 'min by (component) (tributary_component_ok)' }),
    lines('Seconds since the last progress of each loop', 's', {
      '{{loop}}': 'max by (loop) (time() - tributary_loop_last_beat_seconds)',
    }),
    lines('Versions', 'short', {
      '{{version}} {{commit}}': 'count by (version, commit) (tributary_build_info)',
    }),
  ],
  Requests: [
    lines('Requests by status', 'reqps', { '{{status}}': rate(requestCount, ' by (status)') }),
    lines('Duration', 's', {
      median: quantile(0.5, 'tributary_http_request_duration_seconds'),
      'slowest 1 %': quantile(0.99, 'tributary_http_request_duration_seconds'),
    }),
    lines('Slowest routes', 's', {
      '{{route}}': `topk(8, ${quantile(0.99, 'tributary_http_request_duration_seconds', ', route')})`,
    }),
    lines('In flight', 'short', {
      requests: 'sum(tributary_http_requests_in_flight)',
      'unfinished bodies': 'sum(tributary_http_unfinished_bodies)',
      streams: 'sum(tributary_event_streams)',
    }),
    lines('Memory of bodies', 'bytes', { '{{instance}}': 'tributary_http_request_body_bytes' }),
    lines('Rate limiter', 'reqps', {
      '{{source}} {{outcome}}': rate('tributary_limiter_decisions_total', ' by (source, outcome)'),
    }),
    lines('Duration of the rate limiter', 's', {
      'slowest 1 %': quantile(0.99, 'tributary_limiter_duration_seconds'),
    }),
    lines('Nodes that use their own share of limits', 'short', { nodes: 'sum(tributary_limiter_local)' }),
  ],
  'Waiting work': [
    lines('Age of the oldest item', 's', { '{{queue}}': 'max by (queue) (tributary_backlog_age_seconds)' }),
    lines('Items', 'short', { '{{queue}}': 'max by (queue) (tributary_backlog_items)' }),
    lines('Share of the account with the most items', 'percentunit', {
      '{{queue}}':
        'max by (queue) (tributary_backlog_largest_account_items) / max by (queue) (tributary_backlog_items)',
    }),
    lines('Other lags', 's', {
      events: 'max(tributary_feed_lag_seconds)',
      webhooks: 'max(tributary_delivery_lag_seconds)',
      'audit entries': 'max(tributary_audit_lag_seconds)',
      'access records': 'max(tributary_access_records_lag_seconds)',
      'token renewals': 'max(tributary_token_renewal_lag_seconds)',
    }),
    lines('Lag of jobs', 's', { '{{queue}}': 'max by (queue) (tributary_job_lag_seconds)' }),
    lines('Failed jobs', 'short', {
      '{{queue}}': 'sum by (queue) (increase(tributary_job_failures_total[$__rate_interval]))',
    }),
  ],
  'Uploads and scores': [
    lines('Batches processed', 'reqps', { batches: rate('tributary_ingest_batches_total') }),
    lines('Pending batches', 'short', { batches: 'max(tributary_ingest_pending_batches)' }),
    lines('Duration of ingest transactions', 's', {
      median: quantile(0.5, 'tributary_ingest_transaction_seconds'),
      'slowest 1 %': quantile(0.99, 'tributary_ingest_transaction_seconds'),
    }),
    lines('Locked partitions', 'short', { partitions: 'sum(tributary_ingest_held_partitions)' }),
    lines('Dead letters and lost pointers', 'short', {
      'dead letters': 'sum(increase(tributary_ingest_dead_letters_total[$__rate_interval]))',
      'lost pointers': 'sum(increase(tributary_lost_pointers_total[$__rate_interval]))',
    }),
    lines('Recomputations', 'reqps', {
      scores: rate('tributary_score_runs_total'),
      settings: rate('tributary_reconsolidations_total'),
    }),
  ],
  'Events and webhooks': [
    lines('Events', 'reqps', { events: rate('tributary_sequenced_events_total') }),
    lines('Attempts', 'reqps', { '{{outcome}}': rate('tributary_delivery_attempts_total', ' by (outcome)') }),
    lines('Duration of attempts', 's', {
      median: quantile(0.5, 'tributary_delivery_duration_seconds'),
      'slowest 1 %': quantile(0.99, 'tributary_delivery_duration_seconds'),
    }),
    lines('Emails', 'short', {
      '{{outcome}}': 'sum by (outcome) (increase(tributary_mails_total[$__rate_interval]))',
    }),
  ],
  Providers: [
    lines('Sync runs', 'reqps', {
      '{{provider}} {{outcome}}': rate('tributary_sync_runs_total', ' by (provider, outcome)'),
    }),
    lines('Pushes', 'reqps', {
      '{{provider}} {{outcome}}': rate('tributary_provider_pushes_total', ' by (provider, outcome)'),
    }),
    lines('Failed attempts to process a push', 'short', {
      '{{provider}} {{outcome}}':
        'sum by (provider, outcome) (increase(tributary_provider_push_failures_total[$__rate_interval]))',
    }),
    lines('Refreshes of tokens', 'reqps', {
      '{{outcome}}': rate('tributary_token_renewals_total', ' by (outcome)'),
    }),
  ],
  Audit: [
    lines('Audit entries', 'reqps', { entries: rate('tributary_audit_entries_total') }),
    lines('Access records', 'reqps', {
      '{{outcome}}': rate('tributary_access_records_total', ' by (outcome)'),
    }),
    lines('Access records that wait', 'short', { '{{instance}}': 'tributary_access_records_waiting' }),
    stat('Audit alarms since the start', 'short', 'sum(tributary_audit_alarms_total)'),
  ],
  Processes: [
    lines('CPU cores', 'short', { '{{instance}}': 'rate(process_cpu_seconds_total[$__rate_interval])' }),
    lines('Memory', 'bytes', { '{{instance}}': 'process_resident_memory_bytes' }),
    lines('Event loop lag, slowest 1 %', 's', { '{{instance}}': 'nodejs_eventloop_lag_p99_seconds' }),
    lines('Database connections', 'short', {
      '{{pool}} {{state}}': 'sum by (pool, state) (tributary_database_connections)',
    }),
    lines('API nodes that each node counts', 'short', { '{{instance}}': 'tributary_live_nodes' }),
  ],
};

function stat(title: string, unit: Unit, expr: string): Panel {
  return { title, unit, queries: { '': expr }, kind: 'stat' };
}

function lines(title: string, unit: Unit, queries: Panel['queries']): Panel {
  return { title, unit, queries };
}

const columns = 24;
const sizes = { stat: { w: 6, h: 4 }, timeseries: { w: 8, h: 7 } } as const;
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** The Grafana dashboard as JSON. */
export function printBoard(): string {
  const panels: unknown[] = [];
  let y = 0;
  for (const [title, some] of Object.entries(rows)) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: columns, h: 1 },
      panels: [],
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of some) {
      const { w, h } = sizes[panel.kind ?? 'timeseries'];
      if (x + w > columns) {
        x = 0;
        y += height;
        height = 0;
      }
      panels.push(toPanel(panel, panels.length + 1, { x, y, w, h }));
      x += w;
      height = Math.max(height, h);
    }
    y += height;
  }
  return `${JSON.stringify({ ...frame, panels }, null, 2)}\n`;
}

const frame = {
  uid: 'tributary',
  title: 'Tributary',
  tags: ['tributary'],
  timezone: 'browser',
  schemaVersion: 39,
  editable: true,
  graphTooltip: 1,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', refresh: 1 }],
  },
};

function toPanel({ title, unit, queries, kind = 'timeseries' }: Panel, id: number, gridPos: object): object {
  const targets = Object.entries(queries).map(([legendFormat, expr], at) => {
    return { refId: String.fromCodePoint(65 + at), datasource, expr, legendFormat, instant: kind === 'stat' };
  });
  return {
    id,
    type: kind,
    title,
    gridPos,
    datasource,
    fieldConfig: { defaults: { unit }, overrides: [] },
    targets,
  };
}
