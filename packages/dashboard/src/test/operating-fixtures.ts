import type {
  AccessRecordWire,
  AccountSettingsWire,
  AuditEntryWire,
  DeliveryDetailWire,
  EventWire,
  ProviderRowWire,
  RosterInvitationWire,
  RosterMemberWire,
} from '@tributary/contract';
import type { FixtureResponse } from './fixtures.ts';

const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const ok = (json: unknown) => (): FixtureResponse => ({ status: 200, body: json });

const settings: AccountSettingsWire = {
  name: 'Acme Health',
  default_form: 1,
  organization_name: 'Acme',
  contact_email: 'team@example.com',
  redirect_urls: ['https://app.example.com/connected'],
  sync_interval_seconds: 900,
  require_authenticator: false,
  plan: {
    user_limit: 1_000,
    users: { live: 950, sandbox: 10 },
    uploads_today: { live: 18_200, sandbox: 12 },
    uploads_per_day: 50_000,
    values_today: { live: 4_120_000, sandbox: 640 },
    values_per_day: null,
    requests_per_second: 100,
    request_burst: 200,
    streams: 1_000,
    suspended: false,
  },
  public_url: 'https://health.example.com',
  mail: { configured: true },
};

const team = {
  members: [
    {
      id: 'op_01',
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      role: 'owner',
      two_factor: true,
      joined_at: at(-900),
      last_seen_at: at(-0.01),
    },
    {
      id: 'op_02',
      email: 'grace@example.com',
      name: 'Grace Hopper',
      role: 'viewer',
      two_factor: false,
      joined_at: at(-90),
      last_seen_at: null,
    },
  ],
  invitations: [
    {
      id: 'oli_01',
      email: 'alan@example.com',
      role: 'developer',
      invited_by: 'Ada Lovelace',
      created_at: at(-2),
      expires_at: at(160),
    },
  ],
};

const sessions = ['Firefox/140.0', 'curl/8.0'].map((agent, index) => ({
  id: `session-${index}`,
  current: index === 0,
  created_at: at(-20),
  last_seen_at: at(-index),
  address: '203.0.113.7',
  user_agent: agent,
}));

export const webhookId = 'wh_01jcqz8k2he7zrq5m9d3v6x0bt';
export const eventId = 'evt_01jcqz7m3ye5xvv9b1s6k0n4pd';

const webhook = {
  id: webhookId,
  url: 'https://example.com/hooks/tributary',
  events: ['data.updated', 'score.updated'],
  status: 'active',
  disabled_reason: null,
  coalesce_seconds: 1,
  rate_limit: null,
  created_at: at(-400),
  last_delivery_at: at(-0.2),
};

const health = {
  id: webhookId,
  hours: Array.from({ length: 24 }, (_, hour) => ({
    at: at(hour - 23),
    delivered: 40 + hour,
    failed: hour > 20 ? 12 : 0,
  })),
  approximate: false,
  waiting: { value: 36, more: false },
  oldest_waiting_at: at(-2),
  last_response: { status: 502, at: at(-0.2), error: null },
};

export const event: EventWire = {
  event_id: eventId,
  event_type: 'data.updated',
  metrics: ['steps', 'distance', 'weight', 'asleep'],
  user_id: 'user_01jcqz4w5ve9prdk6r9f4vg1yx',
  device_id: null,
  timestamp: at(-0.3),
  data: { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-02', backfill: false },
};

const delivery: DeliveryDetailWire = {
  event_id: eventId,
  event_type: 'data.updated',
  user_id: event.user_id,
  status: 'pending',
  held: false,
  test: false,
  created_at: at(-0.3),
  next_attempt_at: at(0.2),
  ended_at: null,
  attempt_count: 1,
  last_attempt: { at: at(-0.2), status: 502, error: null, milliseconds: 812 },
  merged_into: null,
  attempts: [{ at: at(-0.2), status: 502, error: null, milliseconds: 812, answer: 'Bad gateway' }],
  event,
};

const entry: AuditEntryWire = {
  id: 'aud_01jcqz7m3ye5xvv9b1s6k0n4pd',
  position: 42,
  at: at(-1),
  environment: null,
  action: 'account.updated',
  actor: { type: 'operator', id: 'op_01' },
  target: { type: 'account', id: 'acc_01' },
  address: '203.0.113.7',
  request_id: 'req_5a3c2b1a0d1z',
  details: { fields: ['name'], before: { name: 'Demo' }, after: { name: 'Acme Health' } },
  text: null,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

const reads = ['listDaily', 'listSleep', 'getUser', 'getUser'].map((operation, index): AuditEntryWire => ({
  ...entry,
  id: `aud_01jcqz7m3ye5xvv9b1s6k0n4p${'efgh'[index]}`,
  environment: 'live',
  action: 'user.read',
  target: { type: 'user', id: event.user_id },
  address: null,
  details: { operation },
}));

const accessRecords: AccessRecordWire[] = [
  {
    id: 'acr_01jcqz7m3ye5xvv9b1s6k0n4pd',
    at: at(-1),
    credential: { type: 'api_key', id: 'key_01jcqz4w5ve9prdk6r9f4vg1yx' },
    user_id: event.user_id,
    operation: 'listDaily',
    first_day: '2026-03-01',
    last_day: '2026-03-31',
    outcome: 'returned',
  },
  {
    id: 'acr_01jcqz7m3ye5xvv9b1s6k0n4pe',
    at: at(-2),
    credential: { type: 'user_token', id: 'tok_01jcqz4w5ve9prdk6r9f4vg1yx' },
    user_id: event.user_id,
    operation: 'explainDaily',
    first_day: '2026-03-02',
    last_day: '2026-03-02',
    outcome: 'not_modified',
  },
  {
    id: 'acr_01jcqz7m3ye5xvv9b1s6k0n4pf',
    at: at(-3),
    credential: { type: 'operator', id: 'op_01' },
    user_id: null,
    operation: 'listUsers',
    first_day: null,
    last_day: null,
    outcome: 'returned',
  },
];

const provider: ProviderRowWire = {
  provider: 'oura',
  name: 'Oura',
  kind: 'cloud',
  state: 'refusing',
  connections: 40,
  newest_data_at: at(-3),
  limit_used: 0.85,
  affected: 12,
  push: true,
  history_days: 730,
  app: {
    is_set: true,
    is_readable: true,
    client_id: 'acme-oura',
    updated_at: at(-700),
    callback_url: 'https://health.example.com/connect/callback',
    push_url: null,
    settings: [{ name: 'project_number', about: 'Number of the project', is_set: false }],
  },
  by_state: { pending: 1, fresh: 28, late: 0, silent: 12, ended: 3, on_device: 0 },
  errors: [{ kind: 'consent_ended', count: { value: 12, more: false } }],
};

const phone: ProviderRowWire = {
  ...provider,
  provider: 'apple_health',
  name: 'Apple Health',
  kind: 'on_device',
  state: 'working',
  affected: 0,
  app: null,
  limit_used: null,
  errors: [],
};

const member: RosterMemberWire = {
  id: 'mem_01jcqz9c6xf4s1n8t2v5y7b9dk',
  user_id: event.user_id,
  name: 'Mary Somerville',
  email: 'mary@example.com',
  status: 'active',
  joined_at: at(-50),
  archived_at: null,
};

const invitation: RosterInvitationWire = {
  id: 'inv_01jcqz9a4te2v8m0x6k3r5w7yb',
  email: 'katherine@example.com',
  name: null,
  status: 'pending',
  mail_status: 'failed',
  member_id: null,
  created_at: at(-5),
  expires_at: at(300),
};

/** Responses for the pages of settings, webhooks, events, audit, providers and roster. */
export function operatingResponses(): Record<string, (body: Record<string, unknown>) => FixtureResponse> {
  const hook = `/v1/webhooks/${webhookId}`;
  return {
    'GET /dashboard/api/settings': ok(settings),
    'PATCH /dashboard/api/settings': (change) => ({ status: 200, body: { ...settings, ...change } }),
    'GET /dashboard/api/team': ok(team),
    'POST /dashboard/api/team/invitations': ({ email, role }) => ({
      status: 201,
      body: { ...team.invitations[0], id: 'oli_02', email, role },
    }),
    'GET /dashboard/api/operators/names': ok({ names: { op_01: 'Ada Lovelace' } }),
    'GET /dashboard/api/sessions': ok({ data: sessions }),
    'GET /v1/webhooks': ok({ data: [webhook] }),
    'POST /v1/webhooks': ({ url }) => ({
      status: 201,
      body: { data: { ...webhook, url, secret: 'whsec_sample' } },
    }),
    'GET /dashboard/api/webhooks': ok({ data: [health] }),
    [`GET ${hook}`]: ok({ data: webhook }),
    [`GET ${hook}/deliveries`]: ok({ data: [delivery], next_cursor: null }),
    [`GET ${hook}/deliveries/${eventId}`]: ok({ data: delivery }),
    [`POST ${hook}/deliveries/${eventId}/resend`]: () => ({ status: 202, body: { data: delivery } }),
    [`POST ${hook}/rotate-secret`]: ok({
      data: { secret: 'whsec_sample_rotated', previous_secret_valid_until: at(24) },
    }),
    'GET /dashboard/api/events': ok({
      data: [{ event, cursor: 'sample-cursor' }],
      cursor: 'sample-cursor',
      older: 'older-cursor',
    }),
    [`GET /dashboard/api/events/${eventId}`]: ok({ event, cursor: 'sample-cursor' }),
    'GET /v1/access-records': ok({ data: accessRecords, next_cursor: null }),
    'GET /v1/audit': ok({ data: [entry, ...reads], next_cursor: null }),
    'GET /dashboard/api/providers': ok({ data: [provider, phone], may_change: true }),
    'GET /v1/team/roster': ok({ data: [member], next_cursor: null }),
    'GET /v1/team/roster/invitations': ok({ data: [invitation], next_cursor: null }),
    [`POST /dashboard/api/roster/invitations/${invitation.id}/resend`]: () => ({
      status: 202,
      body: { ...invitation, mail_status: 'waiting' },
    }),
  };
}
