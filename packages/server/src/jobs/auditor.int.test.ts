import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyring } from '../credentials/keyring.ts';
import { createMetrics, type Metrics } from '../ops/metrics.ts';
import { verifyChain } from '../services/audit/verify-chain.ts';
import { wholeService } from '../store/audit/actor.ts';
import { readAuditLagSeconds } from '../store/audit/chain.ts';
import { listAnchors } from '../stream/audit-anchors.ts';
import { chainAudit, recordTestChange } from '../test/chain-audit.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { runAuditor } from './auditor.ts';
import { holdTransaction } from '../test/hold-transaction.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const targetsOf = async (account = app.account.uuid): Promise<string[]> => {
  const { rows } = await app.admin.query<{ target_id: string }>(
    'SELECT target_id FROM audit_log WHERE account_id = $1 ORDER BY position',
    [account],
  );
  return rows.map(({ target_id }) => target_id);
};
const waiting = async () => (await app.admin.query('SELECT FROM audit_intake')).rowCount;
async function untilChained(): Promise<void> {
  await expect.poll(waiting, { timeout: 10_000, interval: 5 }).toBe(0);
}
const recordChange = (id: string) => recordTestChange(app, { target: { type: 'user', id } });
const problems = async () => (await verifyChain(app.ctx, { accountId: null })).problems;
const anchorsOf = (account = app.account.uuid) =>
  listAnchors(app.ctx.broker.connection!, app.ctx.config.audit.name, { accountId: account });

test('chains entries promptly after their commit, in order, and anchors the end of the chain', async () => {
  await using _auditor = runAuditor(app.ctx);
  await untilChained();
  const before = (await targetsOf()).length;
  const startedAt = performance.now();
  for (const id of ['first', 'second', 'third']) await recordChange(id);
  await untilChained();
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect((await targetsOf()).slice(before)).toEqual(['first', 'second', 'third']);
  await expect.poll(async () => (await anchorsOf()).at(-1)?.position, { timeout: 5_000 }).toBe(before + 3);
  expect(await problems()).toEqual([]);
});

test('does not wait for entries of an open transaction', async () => {
  await using _auditor = runAuditor(app.ctx);
  await using slow = await holdTransaction(app.admin);
  await slow.query('SELECT pg_current_xact_id()');
  await slow.query(
    `INSERT INTO audit_intake (id, account_id, at, actor_type, actor_id, action, target_type, target_id, data)
     VALUES ($1, $2, date_trunc('milliseconds', now()), 'service', 'test', 'user.updated', 'user', 'slow', '{}')`,
    [app.ctx.newId(), app.account.uuid],
  );
  await recordChange('quick');
  await untilChained();
  await slow.commit();
  await untilChained();
  expect((await targetsOf()).slice(-2)).toEqual(['quick', 'slow']);
});

test('runs one auditor at a time, fails over to another, and gives each entry one position', async () => {
  const first = runAuditor(app.ctx);
  const second = runAuditor(app.ctx);
  for (let at = 0; at < 20; at += 1) await recordChange(`n${at}`);
  await first[Symbol.asyncDispose]();
  await recordChange('last');
  await untilChained();
  await app.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name LIKE 'tributary-auditor-%' AND datname = current_database()`,
  );
  await recordChange('after the cut');
  await untilChained();
  await second[Symbol.asyncDispose]();
  expect(await problems()).toEqual([]);
  const targets = await targetsOf();
  expect(targets.slice(-22)).toEqual([
    ...Array.from({ length: 20 }, (_, at) => `n${at}`),
    'last',
    'after the cut',
  ]);
});

test('anchors the end of the chain on shutdown, including the chain of the service itself', async () => {
  const auditor = runAuditor(app.ctx);
  await untilChained();
  const actor = { type: 'command_line', id: 'root@here', address: null, requestId: null } as const;
  for (let at = 0; at < 5; at += 1)
    await recordTestChange(app, {}, { accountId: wholeService, environment: null, actor });
  await untilChained();
  await auditor[Symbol.asyncDispose]();
  expect((await anchorsOf(wholeService)).at(-1)?.position).toBe(5);
});

test('reports how long the oldest entry has waited; a standby auditor reports zero', async () => {
  const shownBy = async ({ auditLagSeconds }: Metrics) => (await auditLagSeconds.get()).values[0]!.value;
  await recordChange('waits');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await readAuditLagSeconds(app.ctx.operator)).toBeGreaterThan(0.25);
  const [working, idle] = [createMetrics(), createMetrics()];
  await using _working = runAuditor({ ...app.ctx, metrics: working });
  await untilChained();
  expect(await readAuditLagSeconds(app.ctx.operator)).toBe(0);
  idle.auditLagSeconds.set(7); // left over from when it was active
  await using _idle = runAuditor({ ...app.ctx, metrics: idle });
  await expect.poll(() => shownBy(idle), { timeout: 2_000 }).toBe(0);
  await expect.poll(() => shownBy(working), { timeout: 3_000 }).toBe(0);
  expect((await working.auditEntries.get()).values[0]!.value).toBeGreaterThan(0);
});

test('continues a tampered chain, but neither signs nor anchors it again', async () => {
  const { uuid } = await app.createAccount();
  const acting = {
    accountId: uuid,
    environment: 'live',
    actor: { type: 'service', id: 'test', address: null, requestId: null },
  } as const;
  for (let at = 0; at < 3; at += 1) await recordTestChange(app, {}, acting);
  const first = runAuditor(app.ctx);
  await untilChained();
  await first[Symbol.asyncDispose]();
  const anchored = await anchorsOf(uuid);
  await app.admin.query(`DELETE FROM audit_heads WHERE account_id = $1`, [uuid]);
  const metrics = createMetrics();
  await recordTestChange(app, {}, acting);
  const second = runAuditor({ ...app.ctx, metrics });
  await untilChained();
  await second[Symbol.asyncDispose]();
  expect((await metrics.auditAlarms.get()).values[0]!.value).toBeGreaterThan(0);
  const kinds = (await verifyChain(app.ctx, { accountId: uuid })).problems.map(({ kind }) => kind);
  expect(kinds).toEqual(['head_not_ours']);
  expect(await anchorsOf(uuid)).toEqual(anchored);
});

test('detects a chain that was rolled back together with its signed head, and keeps its anchors', async () => {
  const { uuid } = await app.createAccount();
  const acting = {
    accountId: uuid,
    environment: 'live',
    actor: { type: 'service', id: 'test', address: null, requestId: null },
  } as const;
  await recordTestChange(app, {}, acting);
  await chainAudit(app);
  const { rows: old } = await app.admin.query('SELECT * FROM audit_heads WHERE account_id = $1', [uuid]);
  await recordTestChange(app, {}, acting);
  const first = runAuditor(app.ctx);
  await untilChained();
  await first[Symbol.asyncDispose]();
  const anchored = await anchorsOf(uuid);
  await app.admin.query('ALTER TABLE audit_log DISABLE TRIGGER append_only');
  await app.admin.query('DELETE FROM audit_log WHERE account_id = $1 AND position > $2', [
    uuid,
    old[0].position,
  ]);
  await app.admin.query('ALTER TABLE audit_log ENABLE TRIGGER append_only');
  await app.admin.query(
    'UPDATE audit_heads SET position = $2, hash = $3, signature = $4 WHERE account_id = $1',
    [uuid, old[0].position, old[0].hash, old[0].signature],
  );
  expect(await verifyChain(app.ctx, { accountId: uuid, withoutAnchors: true })).toMatchObject({
    problems: [],
  });
  const metrics = createMetrics();
  for (let at = 0; at < 3; at += 1) await recordTestChange(app, {}, acting);
  const second = runAuditor({ ...app.ctx, metrics });
  await untilChained();
  await second[Symbol.asyncDispose]();
  expect((await metrics.auditAlarms.get()).values[0]!.value).toBe(1);
  expect(await anchorsOf(uuid)).toEqual(anchored);
  const kinds = (await verifyChain(app.ctx, { accountId: uuid })).problems.map(({ kind }) => kind);
  expect(kinds).toEqual(['anchor_differs']);
});

test('re-signs the end of every chain with a new key, so that the old key can be removed', async () => {
  const { uuid } = await app.createAccount();
  await using first = runAuditor(app.ctx);
  await untilChained();
  await first[Symbol.asyncDispose]();
  const [old, next] = [7, 8].map((byte, at) => ({ version: at + 1, key: Buffer.alloc(32, byte) }));
  const kindsWith = async (...keys: { version: number; key: Buffer }[]) => {
    const ctx = { ...app.ctx, keyring: createKeyring(keys) };
    return (await verifyChain(ctx, { accountId: uuid })).problems.map(({ kind }) => kind);
  };
  expect(await kindsWith(old!)).toEqual([]);
  expect(await kindsWith(next!)).toEqual(['head_not_ours']);
  const keyring = createKeyring([next!, old!]);
  const second = runAuditor({ ...app.ctx, keyring });
  await expect.poll(() => kindsWith(next!), { timeout: 5_000 }).toEqual([]);
  await second[Symbol.asyncDispose]();
});
