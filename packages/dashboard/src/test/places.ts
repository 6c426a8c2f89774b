import type { FixtureResponse } from './fixtures.ts';
import { eventId, operatingResponses, webhookId } from './operating-fixtures.ts';
import { personFixtures, personId } from './person-fixtures.ts';

type FixtureResponses = Record<string, (body: Record<string, unknown>) => FixtureResponse>;

export interface Place {
  path: string;
  /** Text that appears when the data has loaded. */
  sign: string;
  /** The first request, without which the page cannot render. */
  first?: RegExp;
  /** Text of the empty state. */
  empty?: string;
}

const user = `/live/users/${personId}`;
const first = new RegExp(`/v1/users/${personId}$`);
const hook = `/live/webhooks/${webhookId}`;

/** Every page that requires a session. */
export const places: readonly Place[] = [
  { path: '/live/overview', sign: 'hooks.example/health is failing.', empty: 'Waiting for the first user' },
  { path: '/live/users', sign: 'customer-1042', empty: 'Waiting for the first user' },
  { path: user, sign: 'Garmin access has ended.' },
  { path: `${user}?tab=health`, sign: 'Daily values', first, empty: 'Six scores will appear here' },
  { path: `${user}?tab=days`, sign: 'Resting heart rate', first, empty: 'No data for this day.' },
  { path: `${user}?tab=workouts`, sign: 'Running', first, empty: 'No workouts in the last 90 days.' },
  { path: `${user}?tab=devices`, sign: 'Next step', first, empty: "This user's devices will appear" },
  { path: `${user}?tab=consolidation`, sign: 'Method', first },
  {
    path: `${user}?tab=events`,
    sign: '1 event and more, newest first',
    first,
    empty: "Changes to this user's data",
  },
  { path: `${user}?tab=reads`, sign: 'User token', first, empty: 'Reads of user data will' },
  { path: `${user}?why=daily.steps.2026-03-02`, sign: 'Candidates', first },
  { path: `${user}?why=score.recovery_score.2026-03-02`, sign: 'Factors', first },
  { path: `${user}?why=sleep.slp_00`, sign: 'Sources', first },
  { path: '/live/keys', sign: 'History', empty: 'All keys, past and present' },
  { path: '/live/settings', sign: 'Redirect URLs' },
  { path: '/live/settings/team', sign: 'Grace Hopper', empty: 'No open invitations.' },
  { path: '/live/settings/security', sign: 'Firefox' },
  { path: '/live/settings/plan', sign: 'Live users' },
  { path: '/live/webhooks', sign: 'example.com/hooks', empty: 'Waiting for the first endpoint' },
  { path: hook, sign: 'Failing.', empty: 'Waiting for the first delivery' },
  { path: `${hook}?delivery=${eventId}`, sign: 'Bad gateway' },
  { path: '/live/events', sign: 'steps', empty: 'Waiting for the first event' },
  { path: `/live/events/${eventId}`, sign: 'sample-cursor' },
  { path: '/live/audit', sign: 'User read', empty: 'Every recorded action will' },
  { path: '/live/audit?entry=aud_01jcqz7m3ye5xvv9b1s6k0n4pd', sign: 'Before and after' },
  { path: '/live/access', sign: 'User token', empty: 'Reads of user data will' },
  { path: '/live/providers', sign: 'Apple Health' },
  { path: '/live/providers/oura', sign: 'Oura is failing.' },
  { path: '/live/roster', sign: 'Mary Somerville', empty: 'Members will appear here' },
  { path: '/live/roster/invitations', sign: 'Email rejected', empty: 'Invitations and their status' },
];

/** Responses for all pages. */
export const allResponses = (): FixtureResponses => ({
  ...personFixtures({ rows: 5 }),
  ...operatingResponses(),
});

/** Responses for an account and a user without data. */
export function emptyResponses(): FixtureResponses {
  const responses = allResponses();
  const change = (call: string, parts: object) => {
    const { body } = responses[call]!({});
    responses[call] = () => ({ status: 200, body: { ...(body as object), ...parts } });
  };
  const none = { value: 0, more: false };
  const path = `/v1/users/${personId}`;
  change('GET /dashboard/api/overview', {
    needs: [],
    first_run: { has_key: true, has_key_used: true, has_user: false, has_data: false },
  });
  change('GET /dashboard/api/users', {
    data: [],
    counts: { all: none, not_syncing: none, no_device: none, deleting: none },
  });
  change(`GET ${path}/daily`, { series: {} });
  change(`GET /dashboard/api/users/${personId}/samples`, { start: null, seconds: [], values: [] });
  change('GET /dashboard/api/events', { data: [], older: null });
  change('GET /dashboard/api/team', { invitations: [] });
  for (const call of [
    `GET ${path}/devices`,
    `GET ${path}/scores/history`,
    `GET ${path}/sleep`,
    `GET ${path}/workouts`,
    'GET /v1/webhooks',
    `GET /v1/webhooks/${webhookId}/deliveries`,
    'GET /v1/audit',
    'GET /v1/access-records',
    'GET /v1/team/roster',
    'GET /v1/team/roster/invitations',
  ])
    change(call, { data: [] });
  responses['GET /dashboard/api/keys'] = () => ({ status: 200, body: { data: [] } });
  return responses;
}
