import type { Answer } from './fixtures.ts';
import { eventId, operatingAnswers, webhookId } from './operating-fixtures.ts';
import { personFixtures, personId } from './person-fixtures.ts';

type Answers = Record<string, (body: Record<string, unknown>) => Answer>;

export interface Place {
  path: string;
  /** What shows that its data have come. */
  sign: string;
  /** The call that comes first, without which there is no page to load anything into. */
  first?: RegExp;
  /** What it says where there is nothing yet. */
  empty?: string;
}

const user = `/live/users/${personId}`;
const first = new RegExp(`/v1/users/${personId}$`);
const hook = `/live/webhooks/${webhookId}`;

/** Every page behind the way in. */
export const places: readonly Place[] = [
  { path: '/live/overview', sign: 'hooks.example/health fails.', empty: 'Waiting for the first user' },
  { path: '/live/users', sign: 'customer-1042', empty: 'Waiting for the first user' },
  { path: user, sign: 'Garmin has no access any more.' },
  { path: `${user}?tab=health`, sign: 'Daily values', first, empty: 'Six scores will stand here' },
  { path: `${user}?tab=days`, sign: 'Resting heart rate', first, empty: 'Nothing is known of this day.' },
  { path: `${user}?tab=workouts`, sign: 'Running', first, empty: 'No workout in the last 90 days.' },
  { path: `${user}?tab=devices`, sign: 'Next step', first, empty: 'Every source of data of this person' },
  { path: `${user}?tab=consolidation`, sign: 'Method', first },
  {
    path: `${user}?tab=events`,
    sign: '1 event and more of this user',
    first,
    empty: 'Everything that happens to the data',
  },
  { path: `${user}?why=daily.steps.2026-03-02`, sign: 'Candidates', first },
  { path: `${user}?why=score.recovery_score.2026-03-02`, sign: 'What moved it', first },
  { path: `${user}?why=sleep.slp_00`, sign: 'Tellings', first },
  { path: '/live/keys', sign: 'History', empty: 'Every key that there ever was' },
  { path: '/live/settings', sign: 'Redirect addresses' },
  { path: '/live/settings/team', sign: 'Grace Hopper', empty: 'Nobody is invited at the moment.' },
  { path: '/live/settings/security', sign: 'Firefox' },
  { path: '/live/settings/plan', sign: 'Live users' },
  { path: '/live/webhooks', sign: 'example.com/hooks', empty: 'Waiting for the first endpoint' },
  { path: hook, sign: 'Failing.', empty: 'Waiting for the first delivery' },
  { path: `${hook}?delivery=${eventId}`, sign: 'Bad gateway' },
  { path: '/live/events', sign: 'steps', empty: 'Waiting for the first event' },
  { path: `/live/events/${eventId}`, sign: 'made-up-cursor' },
  { path: '/live/audit', sign: 'User read', empty: 'Everything that somebody does' },
  { path: '/live/audit?entry=aud_01jcqz7m3ye5xvv9b1s6k0n4pd', sign: 'Before and after' },
  { path: '/live/providers', sign: 'Apple Health' },
  { path: '/live/providers/oura', sign: 'Oura refuses.' },
  { path: '/live/roster', sign: 'Mary Somerville', empty: 'Everybody who accepts' },
  { path: '/live/roster/invitations', sign: 'Mail refused', empty: 'Every invitation will be' },
];

/** What all of them ask for. */
export const allAnswers = (): Answers => ({
  ...personFixtures({ rows: 5 }),
  ...operatingAnswers(),
});

/** The same of an account and a person of whom nothing is known yet. */
export function emptyAnswers(): Answers {
  const answers = allAnswers();
  const change = (call: string, parts: object) => {
    const { answer } = answers[call]!({});
    answers[call] = () => ({ status: 200, answer: { ...(answer as object), ...parts } });
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
    'GET /v1/team/roster',
    'GET /v1/team/roster/invitations',
  ])
    change(call, { data: [] });
  answers['GET /dashboard/api/keys'] = () => ({ status: 200, answer: { data: [] } });
  return answers;
}
