import { fires, staysQuiet, unlessAnyDatabaseIsDown, unlessDatabaseIsDown, type Alert } from './alert.ts';

const job = 'job="tributary"';
const a = `instance="a"`;

/** Loops that every installation runs, by the role that runs them. */
const loopOfRole = { api: 'backlog', ingest: 'ingest', jobs: 'sequencer', keeper: 'keeper' };

const componentOk = (component: string, ok: string) => ({
  [`tributary_component_ok{${job},${a},component="${component}"}`]: ok,
});

function engineAlert(name: string, component: string, severity: Alert['severity'], summary: string): Alert {
  return {
    name,
    severity,
    summary,
    expr: `min by (job) (tributary_component_ok{component="${component}"}) == 0`,
    for: '20s',
    cases: [
      fires(componentOk(component, '1x5 0x10'), '90s', { job: 'tributary' }),
      staysQuiet(componentOk(component, '1x5 0 1x100')),
      staysQuiet(componentOk('process', '0x100')),
    ],
  };
}

/** Whether processes and engines are up. */
export const processAlerts: readonly Alert[] = [
  {
    name: 'InstanceDown',
    severity: 'page',
    summary: 'The process {{ $labels.instance }} does not respond to Prometheus.',
    expr: 'up{job="tributary"} == 0',
    for: '20s',
    cases: [
      fires({ [`up{${job},${a}}`]: '1x5 0x10' }, '90s', { job: 'tributary', instance: 'a' }),
      staysQuiet({ [`up{${job},${a}}`]: '1x5 0 1x100', 'up{job="other",instance="b"}': '0x100' }),
    ],
  },
  {
    name: 'RoleMissing',
    severity: 'page',
    summary: 'No process of the role {{ $labels.role }} is running.',
    expr: Object.entries(loopOfRole)
      .map(
        ([role, loop]) =>
          `label_replace(absent(tributary_loop_last_beat_seconds{loop="${loop}"}), "role", "${role}", "", "")`,
      )
      .join(' or '),
    // Sooner than InstanceDown, which it mutes.
    for: '10s',
    cases: [
      fires(beats(['backlog', 'ingest', 'sequencer'], '0+10x100'), '15s', { role: 'keeper', loop: 'keeper' }),
      fires(
        { ...beats(['ingest', 'sequencer', 'keeper'], '0+10x100'), ...beats(['backlog'], '0+10x5 stale') },
        '100s',
        { role: 'api', loop: 'backlog' },
      ),
      staysQuiet(beats(Object.values(loopOfRole), '0+10x200')),
    ],
  },
  {
    name: 'ProcessNotReady',
    severity: 'page',
    summary: 'The process {{ $labels.instance }} is not ready.',
    expr: '(tributary_ready == 0) unless on (instance) (tributary_component_ok{component=~"database|nats|loops"} == 0)',
    for: '1m',
    cases: [
      fires({ [`tributary_ready{${job},${a}}`]: '0x20', ...componentOk('ingest', '0x20') }, '90s', {
        job: 'tributary',
        instance: 'a',
      }),
      staysQuiet({ [`tributary_ready{${job},${a}}`]: '0x200', ...componentOk('database', '0x200') }),
      staysQuiet({ [`tributary_ready{${job},${a}}`]: '1x5 0x4 1x200', ...componentOk('process', '0x200') }),
    ],
  },
  {
    name: 'LoopStalled',
    severity: 'page',
    summary: 'The loop {{ $labels.loop }} of the process {{ $labels.instance }} makes no progress.',
    // These loops wait for providers, and the monitor has an alert of its own.
    expr: unlessDatabaseIsDown(
      'time() - tributary_loop_last_beat_seconds{loop!~"pushes|push-subscriptions|monitor"} > 15 or time() - tributary_loop_last_beat_seconds{loop=~"pushes|push-subscriptions"} > 240',
    ),
    for: '20s',
    cases: [
      fires({ ...beats(['scores'], '0+10x5 50x20'), ...componentOk('database', '1x50') }, '100s', {
        job: 'tributary',
        instance: 'a',
        loop: 'scores',
      }),
      fires(beats(['pushes'], '0x50'), '300s', { job: 'tributary', instance: 'a', loop: 'pushes' }),
      staysQuiet(beats(['pushes'], '0x50'), '200s'),
      staysQuiet({ ...beats(['scores'], '0x200'), ...componentOk('database', '0x200') }),
      staysQuiet(beats(['scores'], '0+10x200')),
    ],
  },
  engineAlert('DatabaseUnavailable', 'database', 'page', 'PostgreSQL is unreachable or read-only.'),
  engineAlert('NatsUnavailable', 'nats', 'ticket', 'A process is not connected to NATS.'),
  engineAlert(
    'RedisUnavailable',
    'redis',
    'ticket',
    'Redis is unreachable, so each node enforces its own share of the limits.',
  ),
  engineAlert(
    'KeyStoreUnavailable',
    'key_store',
    'page',
    'The key store is unreachable, so uploads are rejected.',
  ),
  {
    name: 'DatabaseConnectionsExhausted',
    severity: 'ticket',
    summary: 'Requests of {{ $labels.instance }} wait for a connection of the pool {{ $labels.pool }}.',
    expr: unlessDatabaseIsDown('min_over_time(tributary_database_connections{state="waiting"}[1m]) > 0'),
    for: '1m',
    cases: [
      fires(waitingConnections('5x40'), '90s', {
        job: 'tributary',
        instance: 'a',
        pool: 'service',
        state: 'waiting',
      }),
      staysQuiet(waitingConnections('5 0 5 0 5 0x20 5x3 0x200')),
      staysQuiet({ ...waitingConnections('5x200'), ...componentOk('database', '0x200') }),
    ],
  },
  {
    name: 'EventLoopBlocked',
    severity: 'ticket',
    summary: 'Work of the process {{ $labels.instance }} blocks its event loop.',
    expr: 'nodejs_eventloop_lag_p99_seconds > 0.5',
    for: '2m',
    cases: [
      fires({ [`nodejs_eventloop_lag_p99_seconds{${job},${a}}`]: '0.6x30' }, '3m', {
        job: 'tributary',
        instance: 'a',
      }),
      staysQuiet({ [`nodejs_eventloop_lag_p99_seconds{${job},${a}}`]: '0.6x6 0.02x200' }),
    ],
  },
  {
    name: 'MixedVersions',
    hasLongWindows: true,
    severity: 'ticket',
    summary: 'Processes of different versions have been running for two hours.',
    expr: 'count(count by (version, commit) (tributary_build_info)) > 1',
    for: '2h',
    cases: [
      fires(versions('1x130'), '2h5m'),
      staysQuiet({ 'tributary_build_info{instance="a",version="2",commit="b"}': '1x130' }, '2h5m'),
      staysQuiet(versions('1x60 stale'), '2h5m'),
    ],
  },
  {
    name: 'QueueUnmeasured',
    severity: 'ticket',
    summary: 'The queue {{ $labels.queue }} is not measured.',
    // NaN is the only value that differs from itself, and max() is NaN only if no process measures.
    expr: unlessAnyDatabaseIsDown(
      'max by (queue) (tributary_backlog_age_seconds) != max by (queue) (tributary_backlog_age_seconds)',
    ),
    for: '1m',
    cases: [
      fires({ [`tributary_backlog_age_seconds{${a},queue="scores"}`]: nan(20) }, '90s', { queue: 'scores' }),
      staysQuiet(
        {
          [`tributary_backlog_age_seconds{${a},queue="scores"}`]: nan(20),
          'tributary_backlog_age_seconds{instance="b",queue="scores"}': '0x20',
        },
        '3m',
      ),
      staysQuiet(
        {
          [`tributary_backlog_age_seconds{${a},queue="scores"}`]: nan(20),
          ...componentOk('database', '0x20'),
        },
        '3m',
      ),
    ],
  },
];

function beats(loops: readonly string[], values: string): Record<string, string> {
  return Object.fromEntries(
    loops.map((loop) => [`tributary_loop_last_beat_seconds{${job},${a},loop="${loop}"}`, values]),
  );
}

function waitingConnections(values: string): Record<string, string> {
  return { [`tributary_database_connections{${job},${a},pool="service",state="waiting"}`]: values };
}

function versions(old: string): Record<string, string> {
  return {
    'tributary_build_info{instance="a",version="1",commit="a"}': old,
    'tributary_build_info{instance="b",version="2",commit="b"}': '1x130',
  };
}

function nan(samples: number): string {
  return Array.from({ length: samples }, () => 'NaN').join(' ');
}
