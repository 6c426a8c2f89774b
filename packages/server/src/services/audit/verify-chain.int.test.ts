import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { chainAudit, recordTestChange } from '../../test/chain-audit.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';
import { Anchoring } from './anchor-heads.ts';
import { verifyChain } from './verify-chain.ts';
import { holdTransaction } from '../../test/hold-transaction.ts';

/** Each kind of tampering, as done with full rights in the database, on its own chain. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const person = '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f';

function actingFor({ uuid }: TestAccount) {
  return {
    accountId: uuid,
    environment: 'live',
    actor: { type: 'service', id: 'test', address: null, requestId: null },
  } as const;
}

/** An account with at least 8 entries. The fifth and sixth from the end have a text. */
async function newChain(): Promise<{ account: TestAccount; last: number }> {
  const account = await app.createAccount();
  for (let at = 0; at < 8; at += 1) {
    const hasText = at === 3 || at === 4;
    const target = { type: 'user', id: `user_${at}` };
    const personal = hasText ? { person, text: { email: `p${at}@example.com` } } : {};
    await recordTestChange(app, { target, ...personal }, actingFor(account));
  }
  await chainAudit(app);
  const { rows } = await app.admin.query<{ last: number }>(
    'SELECT max(position)::int AS last FROM audit_log WHERE account_id = $1',
    [account.uuid],
  );
  return { account, last: rows[0]!.last };
}

async function tamper(text: string, values: unknown[]): Promise<void> {
  await using tampering = await holdTransaction(app.admin);
  await tampering.query(`SET LOCAL session_replication_role = replica`);
  await tampering.query(text, values);
  await tampering.commit();
}

async function kindsOf(account: TestAccount): Promise<string[]> {
  const { problems, problemCount } = await verifyChain(app.ctx, { accountId: account.uuid });
  expect(problems).toHaveLength(problemCount);
  return problems.map(({ kind, position }) => `${kind} ${position}`);
}

test.each<[string, string, (last: number) => string[]]>([
  ['nothing', 'SELECT $1::uuid, $2::int', () => []],
  [
    'an edited entry',
    `UPDATE audit_log SET action = 'user.deleted' WHERE account_id = $1 AND position = $2 - 2`,
    (last) => [`edited ${last - 2}`],
  ],
  [
    'a timestamp moved by a microsecond',
    `UPDATE audit_log SET at = at + interval '1 microsecond' WHERE account_id = $1 AND position = $2 - 2`,
    (last) => [`edited ${last - 2}`],
  ],
  [
    'added spaces in the data',
    `UPDATE audit_log SET data = (data::text || ' ')::json WHERE account_id = $1 AND position = $2 - 2`,
    (last) => [`edited ${last - 2}`],
  ],
  [
    'a changed hash',
    `UPDATE audit_log SET hash = sha256('x') WHERE account_id = $1 AND position = $2 - 2`,
    (last) => [`edited ${last - 2}`, `edited ${last - 1}`],
  ],
  [
    'a removed entry in the middle',
    'DELETE FROM audit_log WHERE account_id = $1 AND position = $2 - 1',
    (last) => [`hole ${last}`, `unchecked ${last}`],
  ],
  [
    'a removed last entry',
    'DELETE FROM audit_log WHERE account_id = $1 AND position = $2',
    (last) => [`missing_end ${last}`],
  ],
  [
    'an entry moved to another position',
    'UPDATE audit_log SET position = position + 100 WHERE account_id = $1 AND position = $2',
    (last) => [
      `hole ${last + 100}`,
      `unchecked ${last + 100}`,
      `after_head ${last + 100}`,
      `missing_end ${last}`,
    ],
  ],
  [
    'an entry added after the head',
    `INSERT INTO audit_log SELECT account_id, position + 1, gen_random_uuid(), environment, at, actor_type, actor_id, action, target_type,
       target_id, address, request_id, data, NULL, NULL, sha256('x') FROM audit_log WHERE account_id = $1 AND position = $2`,
    (last) => [`edited ${last + 1}`, `after_head ${last + 1}`],
  ],
  [
    'a removed head',
    'DELETE FROM audit_heads WHERE account_id = $1 AND position = $2',
    () => ['head_missing null'],
  ],
  [
    'a head signed with another key',
    `UPDATE audit_heads SET signature = substr(sha256('x'), 1, 16) WHERE account_id = $1 AND position = $2`,
    (last) => [`head_not_ours ${last}`],
  ],
  [
    'an edited text',
    `UPDATE audit_texts SET text = '{"email":"other@example.com"}' FROM audit_log l
     WHERE l.id = entry_id AND l.account_id = $1 AND l.position = $2 - 3`,
    (last) => [`text_edited ${last - 3}`],
  ],
  [
    'a text moved to another environment',
    `UPDATE audit_texts t SET environment = 'sandbox' FROM audit_log l
     WHERE l.id = t.entry_id AND l.account_id = $1 AND l.position = $2 - 3`,
    (last) => [`text_edited ${last - 3}`],
  ],
  [
    'a removed text of a user who was not erased',
    `DELETE FROM audit_texts USING audit_log l WHERE l.id = entry_id AND l.account_id = $1 AND l.position = $2 - 3`,
    (last) => [`text_missing ${last - 3}`],
  ],
  [
    'a text without an entry',
    `INSERT INTO audit_texts SELECT gen_random_uuid(), account_id, environment, gen_random_uuid(), 'x', '{}' FROM audit_log
     WHERE account_id = $1 AND position = $2`,
    () => ['text_stray null'],
  ],
  [
    'an entry that also waits to be chained',
    `INSERT INTO audit_intake (id, account_id, at, actor_type, actor_id, action, target_type, target_id, data)
     SELECT id, account_id, at, actor_type, actor_id, action, target_type, target_id, data FROM audit_log
     WHERE account_id = $1 AND position = $2`,
    (last) => [`waiting_twice ${last}`],
  ],
])('detects %s', async (_, text, expected) => {
  const { account, last } = await newChain();
  await tamper(text, [account.uuid, last]);
  expect(await kindsOf(account)).toEqual(expected(last));
  await app.admin.query(`DELETE FROM audit_intake`);
});

test('reports swapped entries with their positions', async () => {
  const { account, last } = await newChain();
  for (const [from, to] of [
    [last, -1],
    [last - 1, last],
    [-1, last - 1],
  ])
    await tamper('UPDATE audit_log SET position = $3 WHERE account_id = $1 AND position = $2', [
      account.uuid,
      from,
      to,
    ]);
  expect(await kindsOf(account)).toContain(`moved ${last - 1}`);
});

test('reports an ID that occurs in two chains', async () => {
  const { account, last } = await newChain();
  const other = await newChain();
  await app.admin.query('DROP INDEX audit_log_by_id');
  await tamper(
    `UPDATE audit_log SET id = (SELECT id FROM audit_log WHERE account_id = $1 AND position = $2) WHERE account_id = $3 AND position = $4`,
    [account.uuid, last, other.account.uuid, other.last],
  );
  expect(await kindsOf(account)).toEqual([`id_twice ${last}`]);
  await tamper('DELETE FROM audit_log WHERE account_id = $1', [other.account.uuid]);
  await app.admin.query('CREATE UNIQUE INDEX audit_log_by_id ON audit_log (id)');
  await app.admin.query('DELETE FROM audit_heads WHERE account_id = $1', [other.account.uuid]);
});

test('accepts missing texts once an entry records the erasure, even if that entry is still waiting', async () => {
  const { account } = await newChain();
  await app.admin.query('DELETE FROM audit_texts WHERE account_id = $1', [account.uuid]);
  expect(await kindsOf(account)).toHaveLength(2);
  const target = { type: 'user', id: formatId('user', person) };
  await recordTestChange(app, { action: 'user.erased', target }, actingFor(account));
  expect(await kindsOf(account)).toEqual([]);
  await chainAudit(app);
  expect(await kindsOf(account)).toEqual([]);
  await recordTestChange(app, { person, text: { email: 'again@example.com' } }, actingFor(account));
  await chainAudit(app);
  await app.admin.query('DELETE FROM audit_texts WHERE account_id = $1', [account.uuid]);
  expect(await kindsOf(account)).toHaveLength(1);
});

test('accepts a missing text of the deletion entry itself, because an erasure removes it before it ends', async () => {
  const { account } = await newChain();
  const target = { type: 'user', id: formatId('user', person) };
  const text = { address: '203.0.113.7' };
  await recordTestChange(app, { action: 'user.deleted', target, person, text }, actingFor(account));
  await chainAudit(app);
  expect(await kindsOf(account)).toEqual([]);
  await app.admin.query('DELETE FROM audit_texts WHERE account_id = $1', [account.uuid]);
  expect(await kindsOf(account)).toEqual([]);
});

test('detects a completely removed chain, including its head, by its anchors', async () => {
  const { account, last } = await newChain();
  await new Anchoring(app.ctx)[Symbol.asyncDispose]();
  await tamper('DELETE FROM audit_heads WHERE account_id = $1', [account.uuid]);
  await tamper('DELETE FROM audit_texts WHERE account_id = $1', [account.uuid]);
  await tamper('DELETE FROM audit_log WHERE account_id = $1', [account.uuid]);
  expect(await kindsOf(account)).toEqual(['chain_missing null', `anchor_missing ${last}`]);
});

test('compares an earlier note', async () => {
  const { account, last } = await newChain();
  const { chains } = await verifyChain(app.ctx, { accountId: account.uuid });
  const hash = chains[0]!.head!.hash.toString('hex');
  const compare = async (position: number, noted: string) => {
    const notes = [{ position, hash: noted }];
    const { problems } = await verifyChain(app.ctx, { accountId: account.uuid, notes });
    return problems.map(({ kind }) => kind);
  };
  expect(await compare(last, hash)).toEqual([]);
  expect(await compare(last, hash.replace(/./, 'f'))).toEqual(hash.startsWith('f') ? [] : ['note_differs']);
  expect(await compare(last + 1, hash)).toEqual(['note_missing']);
});
