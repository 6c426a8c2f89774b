import { setTimeout as sleep } from 'node:timers/promises';
import type { Random, RunStack } from '@tributary/rig';
import { createIdSource, formatId, systemClock } from '@tributary/server/testing/ids';
import { type Change, record } from '@tributary/server/testing/audit';
import { inTransaction } from '@tributary/server/testing/database';

export const newId = createIdSource(systemClock);
export const tables = ['audit_log', 'audit_heads', 'audit_texts', 'audit_intake'] as const;

interface OldHead {
  account_id: string;
  position: number;
  hash: Buffer;
  signature: Buffer;
}

export interface World {
  accounts: string[];
  /** Earlier signed heads, saved while the chains grew. */
  oldHeads: OldHead[];
}

const rounds = 4;
const perRound = 90;

/** Builds three chains over several seconds, with texts, erased users, and entries that belong to a whole account. */
export async function createWorld({ admin }: RunStack, random: Random): Promise<World> {
  const accounts = Array.from({ length: 3 }, newId);
  const people = accounts.map(() => Array.from({ length: 6 }, newId));
  const oldHeads: OldHead[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < perRound; at += 1) {
      const which = random.int(0, 2);
      await recordEntry(admin, accounts[which]!, random, random.pick(people[which]!));
    }
    for (const [which, list] of people.entries()) await forget(admin, accounts[which]!, list.pop()!);
    await untilChained(admin);
    oldHeads.push(...(await admin.query<OldHead>('SELECT * FROM audit_heads')).rows);
    // Anchors of a chain are written a second apart.
    await sleep(1_500);
  }
  return { accounts, oldHeads };
}

/** Waits until the intake is empty. Returns false on timeout. */
export async function untilChained(admin: RunStack['admin'], patienceMs = 30_000): Promise<boolean> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < patienceMs) {
    if ((await admin.query('SELECT FROM audit_intake LIMIT 1')).rowCount === 0) return true;
    await sleep(20);
  }
  return false;
}

async function recordEntry(
  admin: RunStack['admin'],
  accountId: string,
  random: Random,
  person: string,
): Promise<void> {
  const environment = random.weighted([
    [6, 'live' as const],
    [2, 'sandbox' as const],
    [1, null],
  ]);
  const actor = {
    type: random.pick(['api_key', 'command_line'] as const),
    id: `key_${random.int(1, 4)}`,
    address: random.chance(0.7) ? `203.0.113.${random.int(1, 200)}` : null,
    requestId: random.chance(0.7) ? `req_${random.int(1, 1e6)}` : null,
  };
  const change: Change = {
    action: random.pick(['user.updated', 'user.created', 'webhook.updated'] as const),
    target: { type: 'user', id: formatId('user', person) },
    data: { fields: ['timezone'], number: random.int(1, 1e6) },
    ...(random.chance(0.4) ? { person, text: { email: `p${random.int(1, 1e6)}@example.com` } } : {}),
  };
  await inTransaction(admin, (tx) => record({ newId }, tx, { accountId, environment, actor }, change));
}

async function forget(admin: RunStack['admin'], accountId: string, person: string): Promise<void> {
  const actor = { type: 'service', id: 'erase-user', address: null, requestId: null } as const;
  await inTransaction(admin, async (tx) => {
    await tx.query({ text: 'DELETE FROM audit_texts WHERE person = $1', values: [person] });
    const target = { type: 'user', id: formatId('user', person) };
    await record({ newId }, tx, { accountId, environment: 'live', actor }, { action: 'user.erased', target });
  });
}
