import type {
  CatalogMetricWire,
  ConsolidationConfigurationWire,
  OverviewWire,
  UserDetailWire,
  UserRowWire,
} from '@tributary/contract';
import {
  exampleDailyExplanation,
  exampleSleepExplanation,
} from '../../../contract/src/resources/explanation.ts';
import { exampleScoreExplanation } from '../../../contract/src/resources/score-explanation.ts';
import { exampleUserDetail } from '../../../contract/src/resources/user.ts';
import type { FixtureResponse } from './fixtures.ts';

const dayMs = 86_400_000;
const ok = (json: unknown) => (): FixtureResponse => ({ status: 200, body: json });
const at = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const dayAt = (days: number) => at(days).slice(0, 10);
const today = dayAt(0);

export const personId = 'user_01jcqz4w5ve9prdk6r9f4vg1yx';
const path = `/v1/users/${personId}`;

/** A user with two devices, one of which stopped syncing. */
const person: UserDetailWire = {
  ...exampleUserDetail,
  id: personId,
  reference_id: 'customer-1042',
  timezone: 'UTC',
  last_sync_at: at(-0.01),
  devices: [
    {
      id: 'dev_01',
      provider: 'oura',
      status: 'active',
      connected_at: at(-90),
      last_sync_at: at(-0.01),
      sync: null,
    },
    {
      id: 'dev_02',
      provider: 'garmin',
      status: 'expired',
      connected_at: at(-200),
      last_sync_at: at(-12),
      sync: {
        state: 'revoked',
        reason: 'consent_ended',
        message: 'The user withdrew the authorization.',
        next_step: 'Send them a new link.',
      },
    },
  ],
};

const row = (index: number): UserRowWire => ({
  id: index === 0 ? personId : `user_${String(index).padStart(26, '0')}`,
  reference_id: `customer-${1042 + index}`,
  status: index === 2 ? 'deleting' : 'active',
  timezone: index === 3 ? null : 'Europe/Berlin',
  devices: index === 4 ? 0 : 2,
  not_syncing: index === 1 ? 1 : 0,
  has_scores: index !== 4,
  last_sync_at: index === 4 ? null : at(-0.01),
  created_at: at(-90),
});

const countOf = (value: number) => ({ value, more: false });
const counts = { all: countOf(250), not_syncing: countOf(1), no_device: countOf(1), deleting: countOf(1) };

const metric = (id: string, display_name: string, unit: string, category: string) =>
  ({
    id,
    display_name,
    unit,
    category,
    kind: unit === 'count' ? 'daily_total' : 'daily_average',
    aggregation: 'avg',
    origin: 'measured',
    precision: 0,
    consolidation: { key: id, default_method: 'max', allowed_methods: ['priority', 'max', 'sum'] },
  }) as CatalogMetricWire;
const metrics = [
  metric('steps', 'Steps', 'count', 'Activity'),
  metric('resting_heart_rate', 'Resting heart rate', 'bpm', 'Vitals'),
];

const dates = Array.from({ length: 30 }, (_, index) => dayAt(index - 29));
const daily = {
  dates,
  series: { steps: dates.map((_, index) => 9_000 + index * 100), resting_heart_rate: dates.map(() => 60) },
  units: { steps: 'count', resting_heart_rate: 'bpm' },
};

const scores = ['recovery_score', 'sleep_score', 'strain_score'].flatMap((type) =>
  dates.slice(9).map((date, index) => ({ date, type, value: 50 + index })),
);

const nights = [0, 1, 2].map((ago) => ({
  id: `slp_0${ago}`,
  date: dayAt(-ago),
  start_time: `${dayAt(-ago - 1)}T22:51:00`,
  end_time: `${dayAt(-ago)}T06:18:00`,
  duration_minutes: 447,
  is_main_sleep: true,
  source: 'oura',
  asleep_minutes: 347,
  deep_minutes: 48,
  light_minutes: 240,
  rem_minutes: 59,
  awake_minutes: 100,
  in_bed_minutes: 447,
  efficiency_pct: 77.6,
}));

const workout = {
  id: 'wko_01',
  type: 'running',
  start_time: `${dayAt(-1)}T07:00:00`,
  duration_minutes: 42,
  calories: 430,
  distance_km: 8.1,
  source: 'oura',
  avg_heart_rate: 148,
  max_heart_rate: 171,
  strain: null,
};

const samples = {
  metric: 'heart_rate',
  unit: 'bpm',
  start: at(-6.9),
  seconds: Array.from({ length: 1_900 }, (_, index) => (index === 0 ? 0 : 300)),
  values: Array.from({ length: 1_900 }, (_, index) => 60 + (index % 40)),
};

const switches = [
  { provider: 'oura', enabled: true },
  { provider: 'garmin', enabled: true },
];
const configuration: ConsolidationConfigurationWire = {
  providers: switches,
  metrics: [
    {
      key: 'steps',
      category: 'Activity',
      default_method: 'max',
      method: 'max',
      overridden: false,
      providers: switches,
    },
  ],
};
const catalog = {
  category_order: ['Activity'],
  methods: [{ method: 'max', description: 'The largest value.' }],
  metrics: [
    {
      key: 'steps',
      display_name: 'Steps',
      category: 'Activity',
      kind: 'metric',
      default_method: 'max',
      allowed_methods: ['priority', 'max', 'sum'],
    },
  ],
};
const preview = {
  from_date: dates[0],
  to_date: today,
  changed: true,
  metrics: [
    {
      metric: 'steps',
      unit: 'count',
      days_changed: 12,
      changes: [{ date: today, before: 13_102, after: 14_208, source_before: null, source_after: null }],
    },
  ],
  sleep: { days_changed: 0, changes: [] },
};

const hours = <T extends object>(fields: (hour: number) => T) =>
  Array.from({ length: 24 }, (_, hour) => ({ at: at((hour - 23) / 24), ...fields(hour) }));

const overview: OverviewWire = {
  needs: [
    {
      kind: 'webhook_failing',
      subject: { id: 'wh_01', name: 'https://hooks.example/health' },
      since: at(-0.3),
      count: countOf(318),
      detail: { status: 502 },
    },
    { kind: 'no_authenticator', subject: null, since: null, count: null, detail: {} },
  ],
  tiles: {
    accepted: { total: 1_420_000, hours: hours((hour) => ({ values: hour * 1_000, batches: hour })) },
    fresh: { share: 0.968, fresh: 968, late: 20, silent: 10, ended: 2 },
    delivered: {
      total: 900,
      approximate: false,
      hours: hours((hour) => ({ first: 40, later: 1, failed: hour === 20 ? 9 : 0 })),
    },
    events: {
      total: 5_000,
      approximate: true,
      hours: hours(() => ({ count: 200, types: { 'data.updated': 200 } })),
    },
  },
  providers: [
    {
      provider: 'oura',
      name: 'Oura',
      kind: 'cloud',
      state: 'working',
      connections: 812,
      newest_data_at: at(-0.003),
      limit_used: 0.3,
      affected: 0,
    },
    {
      provider: 'garmin',
      name: 'Garmin',
      kind: 'cloud',
      state: 'refusing',
      connections: 41,
      newest_data_at: null,
      limit_used: 0.95,
      affected: 41,
    },
  ],
  first_run: { has_key: true, has_key_used: true, has_user: true, has_data: true },
};

/** Responses for the pages of users and the overview. */
export function personFixtures({ rows: count = 100 } = {}): Record<
  string,
  (body: Record<string, unknown>) => FixtureResponse
> {
  const rows = Array.from({ length: count }, (_, index) => row(index));
  return {
    'GET /dashboard/api/overview': ok(overview),
    'GET /dashboard/api/users': ok({ data: rows, next_cursor: null, counts }),
    'POST /v1/users': ({ reference_id }) => ({ status: 201, body: { data: { ...person, reference_id } } }),
    [`GET ${path}`]: ok(person),
    [`GET ${path}/devices`]: ok({ data: person.devices }),
    [`POST ${path}/devices`]: ok({
      data: { id: 'dev_02', provider: 'garmin', auth_url: 'https://example.com/connect/cl_sample' },
    }),
    [`GET ${path}/daily`]: ok(daily),
    [`GET ${path}/scores/history`]: ok({ data: scores }),
    [`GET ${path}/scores/explain`]: ok({ ...exampleScoreExplanation, value: 70, current_value: 70 }),
    [`GET ${path}/sleep`]: ok({ data: nights, next_cursor: null }),
    [`GET ${path}/sleep/slp_00/explain`]: ok(exampleSleepExplanation),
    [`GET ${path}/workouts`]: ok({ data: [workout], next_cursor: null }),
    [`GET ${path}/daily/explain`]: ok(exampleDailyExplanation),
    [`GET ${path}/consolidation`]: ok(configuration),
    [`POST ${path}/consolidation/preview`]: ok(preview),
    [`PATCH ${path}/consolidation`]: ok({ status: 'reconsolidating', configuration }),
    [`GET /dashboard/api/users/${personId}/samples`]: ok(samples),
    'GET /v1/metrics': ok({ data: metrics }),
    'GET /v1/consolidation/catalog': ok(catalog),
    'GET /dashboard/api/events': ok({ data: [], cursor: 'sample-cursor', older: null }),
    'GET /v1/providers': ok({
      data: [
        { id: 'oura', name: 'Oura', status: 'available' },
        { id: 'garmin', name: 'Garmin', status: 'available' },
      ],
    }),
  };
}
