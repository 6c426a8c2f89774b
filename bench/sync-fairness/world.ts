import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openService, type Patch, type RunAccount, type RunStack, startRunStack } from '@tributary/rig';
import { personOf } from '@tributary/lab/testing';
import { type App, findProvider, providers } from '@tributary/providers';
import type { Config } from '@tributary/server/testing/service';
import { type Keyring, sealTokens } from '@tributary/server/testing/credentials';
import { formatId, parseId } from '@tributary/server/testing/ids';
import { cloudDevice, pushUrlOf } from '@tributary/server/testing/sync';
import { startRunLab, type RunLab } from './lab.ts';

/** The service and a lab, with two accounts. */
export interface World extends AsyncDisposable {
  run: RunStack;
  lab: RunLab;
  keyring: Keyring;
  live: Account;
  backfilling: Account;
}

export interface Account {
  id: string;
  key: string;
}

/** A user who has connected a provider. */
export interface Member {
  person: string;
  provider: string;
  userId: string;
  /** As the API formats it. */
  id: string;
  deviceId: string;
}

const labSeed = 1;

export async function startWorld(patches: readonly Patch[]): Promise<World> {
  await using resources = new AsyncDisposableStack();
  const lab = resources.use(await startRunLab());
  const service = resources.use(await openService(patches));
  const run = resources.use(
    await startRunStack(
      ['api', 'ingest', 'jobs', 'keeper'],
      { LOG_LEVEL: 'warn', LAB_URL: lab.url },
      { program: service.program, existing: { labUrl: lab.url } },
    ),
  );
  await introduce(run, lab, run.keyring);
  const [live, backfilling] = [await createAccount(run, 'live'), await createAccount(run, 'backfilling')];
  const owned = resources.move();
  return {
    run,
    lab,
    keyring: run.keyring,
    live,
    backfilling,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function createAccount(run: RunStack, name: string): Promise<Account> {
  const account = await run.tributary<RunAccount>('account', 'create', '--name', name);
  return { id: parseId('acc', account.account_id)!, key: account.sandbox_key };
}

/** Registers the redirect URI and each provider's push URL with the lab. */
async function introduce(run: RunStack, lab: RunLab, keyring: Keyring): Promise<void> {
  const publicUrl = run.api[0]!.baseUrl;
  const ctx = { config: { http: { publicUrl } } as Config, keyring };
  const app = { clientId: 'lab-app' } as App;
  const pushUrls = providers.map(({ id }) => [id, pushUrlOf(ctx, 'sandbox', id, app)]);
  await lab.request('introduce', {
    redirectUri: `${publicUrl}/connect/callback`,
    pushUrls: Object.fromEntries(pushUrls) as Record<string, string>,
  });
}

export interface Plan {
  provider: string;
  person: string;
  /** The simulated user whose data this one shares, or null for their own data, of which only released records are visible. */
  life: string | null;
}

/** Chooses simulated users from a number on, who share the data of `lives` users if given. For Dexcom, only users with a sensor. */
export function choosePeople(provider: string, from: number, count: number, lives = 0): Plan[] {
  const chosen: Plan[] = [];
  for (let number = from; chosen.length < count; number += 1) {
    const person = `person-${number}`;
    const life = lives > 0 ? `person-${from + (number % lives)}` : null;
    if (provider !== 'dexcom' || personOf(person, labSeed)!.wearsGlucoseSensor)
      chosen.push({ provider, person, life });
  }
  return chosen;
}

/** Connects users directly in the database, since consents have their own proof. Nothing is due yet, and all have connected at the same moment. */
export async function connectPeople(
  { run, lab, keyring }: World,
  account: Account,
  plans: readonly Plan[],
  historyDays: number,
): Promise<Member[]> {
  const members: Member[] = [];
  const at = new Date();
  for (const { provider, person, life } of plans) {
    const { externalId, tokens } = await lab.request('consent', { provider, person, life });
    const userId = randomUUID();
    const deviceId = randomUUID();
    const { kind } = findProvider(provider)!;
    const { timezone } = personOf(person, labSeed)!;
    await run.admin.query({
      text: `WITH made AS (
               INSERT INTO users (id, account_id, environment, reference_id, timezone) VALUES ($1, $2, 'sandbox', $1::uuid::text, $3) RETURNING id
             ), device AS (
               INSERT INTO devices (user_id, device_no, id, provider, stable_id, kind, status, connected_at, sync_state, sync_reason)
               SELECT id, 1, $4, $5, $6, $7, 'active', now(), 'fresh', 'on_time' FROM made
             )
             INSERT INTO connections (device_id, user_id, account_id, environment, provider, external_id, tokens, token_version, authorized_at,
               history_top, history_to, history_from)
             SELECT $4, id, $2, 'sandbox', $5, $8, $9, 1, $11::timestamptz, $11, $11, $11 - $10 * interval '1 day' FROM made`,
      values: [
        userId,
        account.id,
        timezone,
        deviceId,
        provider,
        cloudDevice,
        kind,
        externalId,
        sealTokens(keyring, deviceId, tokens),
        historyDays,
        at,
      ],
    });
    members.push({ person, provider, userId, id: formatId('user', userId), deviceId });
  }
  return members;
}

/** Syncs everyone for the first time, as after connecting. */
export async function untilSynced({ run }: World, members: readonly Member[]): Promise<void> {
  const devices = members.map(({ deviceId }) => deviceId);
  await run.admin.query({
    text: `UPDATE connections SET due_at = tributary_now(), poll_at = tributary_now() WHERE device_id = ANY ($1::uuid[])`,
    values: [devices],
  });
  for (let polls = 0; polls < 600; polls += 1) {
    await sleep(200);
    const { rows } = await run.admin.query<{ left: number }>({
      text: `SELECT count(*) AS left FROM connections WHERE device_id = ANY ($1::uuid[]) AND last_success_at IS NULL`,
      values: [devices],
    });
    if (rows[0]!.left === 0) return;
  }
  throw new Error('Not every user was synced within two minutes.');
}

/** The number of a member's workouts that the API lists, at most a hundred. */
export async function countWorkouts({ run, live }: World, { id }: Member): Promise<number> {
  const dates = `from_date=${dateOf(Date.now() - 360 * 86_400_000)}&to_date=${dateOf(Date.now())}`;
  const response = await fetch(`${run.api[0]!.baseUrl}/v1/users/${id}/workouts?${dates}&limit=100`, {
    headers: { authorization: `Bearer ${live.key}` },
  });
  const body = (await response.json()) as { data?: unknown[] };
  if (response.status !== 200) throw new Error(`Listing workouts returned ${response.status}.`);
  return body.data?.length ?? 0;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
