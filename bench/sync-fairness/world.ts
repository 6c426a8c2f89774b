import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openService, type Patch, type RunAccount, type RunStack, startRunStack } from '@tributary/rig';
import { personOf } from '@tributary/lab/testing';
import { type App, findProvider, providers } from '@tributary/providers';
import type { Config } from '@tributary/server/testing/service';
import { createKeyring, type Keyring, sealTokens } from '@tributary/server/testing/credentials';
import { formatId, parseId } from '@tributary/server/testing/ids';
import { cloudDevice, pushUrlOf } from '@tributary/server/testing/sync';
import { startRunLab, type RunLab } from './lab.ts';

/** The service beside a lab, with two accounts. */
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

/** Somebody who has connected a provider. */
export interface Member {
  person: string;
  provider: string;
  userId: string;
  /** As the API calls the user. */
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
      ['api', 'ingest', 'jobs'],
      { LOG_LEVEL: 'warn', LAB_URL: lab.url },
      { program: service.program, existing: { labUrl: lab.url } },
    ),
  );
  const [version, key] = run.encryptionKeys.split(':') as [string, string];
  const keyring = createKeyring([{ version: Number(version), key: Buffer.from(key, 'base64') }]);
  await introduce(run, lab, keyring);
  const [live, backfilling] = [await createAccount(run, 'live'), await createAccount(run, 'backfilling')];
  const owned = resources.move();
  return { run, lab, keyring, live, backfilling, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function createAccount(run: RunStack, name: string): Promise<Account> {
  const made = await run.tributary<RunAccount>('account', 'create', '--name', name);
  return { id: parseId('acc', made.account_id)!, key: made.sandbox_key };
}

/** Tells the lab where each provider pushes to. */
async function introduce(run: RunStack, lab: RunLab, keyring: Keyring): Promise<void> {
  const publicUrl = run.api[0]!.baseUrl;
  const ctx = { config: { http: { publicUrl } } as Config, keyring };
  const app = { clientId: 'lab-app' } as App;
  const pushUrls = providers.map(({ id }) => [id, pushUrlOf(ctx, 'sandbox', id, app)]);
  await lab.ask('introduce', {
    redirectUri: `${publicUrl}/connect/callback`,
    pushUrls: Object.fromEntries(pushUrls) as Record<string, string>,
  });
}

export interface Plan {
  provider: string;
  person: string;
  /** Whose life the person lives; null for an own one, of which only that is seen which is let go. */
  life: string | null;
}

/** People of the lab, from a number on, who share so many lives, if any: only some wear a sensor. */
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

/**
 * Connects people, straight in the database: how consents come about is proved elsewhere. Nothing of theirs is due yet. All
 * have connected at the same moment.
 */
export async function connectPeople(
  { run, lab, keyring }: World,
  account: Account,
  plans: readonly Plan[],
  historyDays: number,
): Promise<Member[]> {
  const members: Member[] = [];
  const at = new Date();
  for (const { provider, person, life } of plans) {
    const { externalId, tokens } = await lab.ask('consent', { provider, person, life });
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

/** Lets everybody be looked at for a first time, as after connecting. */
export async function untilLooked({ run }: World, members: readonly Member[]): Promise<void> {
  const devices = members.map(({ deviceId }) => deviceId);
  await run.admin.query({
    text: `UPDATE connections SET due_at = tributary_now(), poll_at = tributary_now() WHERE device_id = ANY ($1::uuid[])`,
    values: [devices],
  });
  for (let looks = 0; looks < 600; looks += 1) {
    await sleep(200);
    const { rows } = await run.admin.query<{ left: number }>({
      text: `SELECT count(*) AS left FROM connections WHERE device_id = ANY ($1::uuid[]) AND last_success_at IS NULL`,
      values: [devices],
    });
    if (rows[0]!.left === 0) return;
  }
  throw new Error('not everybody was looked at within two minutes');
}

/** How many workouts the API lists of a member, a hundred at most. */
export async function countWorkouts({ run, live }: World, { id }: Member): Promise<number> {
  const dates = `from_date=${dateOf(Date.now() - 360 * 86_400_000)}&to_date=${dateOf(Date.now())}`;
  const response = await fetch(`${run.api[0]!.baseUrl}/v1/users/${id}/workouts?${dates}&limit=100`, {
    headers: { authorization: `Bearer ${live.key}` },
  });
  const body = (await response.json()) as { data?: unknown[] };
  if (response.status !== 200) throw new Error(`workouts were answered with ${response.status}`);
  return body.data?.length ?? 0;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
