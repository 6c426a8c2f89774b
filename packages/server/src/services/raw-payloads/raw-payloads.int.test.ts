import { randomUUID } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyPlaceOf } from '../../credentials/payload-cipher.ts';
import { insertPush, takePush } from '../../store/connections/provider-pushes.ts';
import { inTransaction } from '../../store/database/database.ts';
import { testActing } from '../../test/acting.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { cliOf } from '../../test/commands/run-cli.ts';
import { createFailingPool } from '../../test/failing-pool.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';
import { rebuildUser } from '../layers/rebuild-user.ts';
import { processPush } from '../sync/process-push.ts';
import { deleteUser } from '../users/delete-user.ts';
import { eraseUser } from '../users/erase-user.ts';
import { encryptStored } from './encrypt-stored.ts';
import { RawPayloads } from './raw-payloads.ts';
import { sweepPushKeys } from './sweep-push-keys.ts';
import { KeyDestroyedError } from './user-keys.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  await app.admin.query('DELETE FROM provider_pushes');
  await app.admin.query('UPDATE raw_encryption SET started_at = now(), last_user = NULL, last_batch = NULL');
});

const weight = (day: number) => ({
  records: [
    { metric: 'weight', start: `2026-03-${String(day).padStart(2, '0')}T08:00:00Z`, value: 60 + day / 10 },
  ],
});

/** A node of its own, with nothing in memory. */
const anotherNode = () => new RawPayloads(app.ctx.operator, null, app.ctx.keyring);

async function storedOf({ uuid }: PhoneUser): Promise<{ batchId: string; payload: Buffer }[]> {
  const { rows } = await app.admin.query(
    'SELECT batch_id AS "batchId", payload FROM raw_batches WHERE user_id = $1 ORDER BY received_at',
    [uuid],
  );
  return rows;
}

async function keyOf(userId: string): Promise<{ sealed: Buffer | null } | undefined> {
  return (await app.admin.query('SELECT sealed FROM raw_keys WHERE id = $1', [userId])).rows[0];
}

/** As if nodes of the previous release had stored the uploads. */
async function storePlain(users: readonly PhoneUser[]): Promise<void> {
  for (const user of users) {
    const stored = (await storedOf(user)).map((batch) => ({ ...batch, userId: user.uuid }));
    const decrypt = await app.ctx.rawPayloads.readKeys(stored);
    for (const batch of stored)
      await app.admin.query('UPDATE raw_batches SET payload = $3 WHERE user_id = $1 AND batch_id = $2', [
        user.uuid,
        batch.batchId,
        decrypt(batch),
      ]);
  }
}

const placesOf = async (user: PhoneUser) => (await storedOf(user)).map(({ payload }) => keyPlaceOf(payload));

const rebuild = (userId: string) =>
  inTransaction(app.ctx.operator, (tx) => rebuildUser(app.ctx, tx, userId, 'raw'));

describe('an upload', () => {
  test('is stored encrypted, and is processed and rebuilt like any other', async () => {
    const user = await createPhoneUser(app);
    const batchId = await user.upload({ id: 'scale' }, weight(1));
    const [stored] = await storedOf(user);
    expect(keyPlaceOf(stored!.payload)).toBe('database');
    const decrypt = await anotherNode().readKeys([{ ...stored!, userId: user.uuid }]);
    const plain = decrypt({ ...stored!, userId: user.uuid });
    expect(JSON.parse(zstdDecompressSync(plain).toString())).toMatchObject({ batch_id: batchId });
    await workThrough(app);
    await expect(rebuild(user.uuid)).resolves.toEqual({ changed: false });
  });

  test('does not decrypt in the row of another user or batch', async () => {
    const [user, other] = [await createPhoneUser(app), await createPhoneUser(app)];
    await user.upload({ id: 'scale' }, weight(1));
    await other.upload({ id: 'scale' }, weight(1));
    const { batchId, payload } = (await storedOf(user))[0]!;
    const own = { userId: user.uuid, batchId, payload };
    const decrypt = await anotherNode().readKeys([own, { ...own, userId: other.uuid }]);
    expect(decrypt(own).length).toBeGreaterThan(0);
    expect(() => decrypt({ ...own, userId: other.uuid })).toThrow();
    expect(() => decrypt({ ...own, batchId: randomUUID() })).toThrow();
    await workThrough(app);
  });

  test('stays readable if nodes create the key of its user at the same time', async () => {
    const user = await createPhoneUser(app);
    const nodes = Array.from({ length: 5 }, anotherNode);
    const plain = zstdCompressSync('{}');
    const stored = await Promise.all(
      nodes.map(async (node) => {
        const batchId = randomUUID();
        return { userId: user.uuid, batchId, payload: await node.encrypt(user.uuid, batchId, plain) };
      }),
    );
    const decrypt = await anotherNode().readKeys(stored);
    for (const batch of stored) expect(decrypt(batch)).toEqual(plain);
  });
});

describe('earlier payloads', () => {
  test('are read next to encrypted ones, and encrypted by the command', async () => {
    const user = await createPhoneUser(app);
    await user.upload({ id: 'scale' }, weight(1));
    await storePlain([user]);
    await user.upload({ id: 'scale' }, weight(2));
    expect(await placesOf(user)).toEqual([null, 'database']);
    await workThrough(app);
    expect(await rebuild(user.uuid)).toEqual({ changed: false });
    const ended = await cliOf(app).tributary(['raw', 'encrypt']);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Encrypted 1 payloads\./) });
    expect(await placesOf(user)).toEqual(['database', 'database']);
    expect(await rebuild(user.uuid)).toEqual({ changed: false });
    const again = await cliOf(app).tributary(['raw', 'encrypt', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ encrypted: 0, unreadable: 0 });
  });

  test('are all encrypted by a run that continues an interrupted one', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => createPhoneUser(app)));
    for (const user of users)
      for (let day = 1; day <= 3; day += 1) await user.upload({ id: 's' }, weight(day));
    await storePlain(users);
    const failing = { ...app.ctx, operator: createFailingPool(app.ctx.operator, 6) };
    await expect(encryptStored(failing)).rejects.toThrow('cut');
    const { encrypted } = await encryptStored(app.ctx);
    expect(encrypted).toBeLessThanOrEqual(12);
    for (const user of users) expect(await placesOf(user)).toEqual(Array(3).fill('database'));
    await workThrough(app);
    for (const user of users) expect(await rebuild(user.uuid)).toEqual({ changed: false });
  });

  test('and new ones stay plain until the command is run', async () => {
    await app.admin.query('UPDATE raw_encryption SET started_at = NULL');
    const node = anotherNode();
    const plain = zstdCompressSync('{}');
    expect(await node.encrypt(randomUUID(), randomUUID(), plain)).toBe(plain);
    expect(await node.encryptPush(plain)).toMatchObject({ keyId: null, body: plain });
    await encryptStored(app.ctx);
    await expect
      .poll(async () => keyPlaceOf(await node.encrypt(randomUUID(), randomUUID(), plain)), { timeout: 3_000 })
      .toBe('database');
  });
});

describe('a push', () => {
  const receive = async () => {
    const { confirm, ...encrypted } = await app.ctx.rawPayloads.encryptPush(zstdCompressSync('{"n": 1}'));
    await insertPush(app.ctx.db, { environment: 'sandbox', provider: 'garmin', headers: {}, ...encrypted });
    confirm();
    return encrypted.keyId!;
  };

  test('has a key of its own, which is destroyed once it is processed', async () => {
    const keyId = await receive();
    const { rows } = await app.admin.query('SELECT body, key_id FROM provider_pushes');
    expect(rows).toHaveLength(1);
    expect(keyPlaceOf(rows[0].body)).toBe('database');
    const push = await inTransaction(app.ctx.operator, takePush);
    expect(zstdDecompressSync((await anotherNode().decryptPush(push!))!).toString()).toBe('{"n": 1}');
    expect(await keyOf(keyId)).toBeDefined();
    expect(await processPush(app.ctx)).toBe(true);
    expect(await keyOf(keyId)).toBeUndefined();
  });

  test('without its key is dropped, so that it does not stop others', async () => {
    const keyId = await receive();
    await app.admin.query('DELETE FROM raw_keys WHERE id = $1', [keyId]);
    expect(await processPush(app.ctx)).toBe(true);
    expect(await processPush(app.ctx)).toBe(false);
  });

  test('keeps its key in a sweep, which destroys only keys of pushes that are gone', async () => {
    const [waiting, leftover, recent] = [await receive(), randomUUID(), randomUUID()];
    await app.admin.query(
      `INSERT INTO raw_keys (id, sealed, created_at) VALUES ($1, 'x', now() - interval '2 hours'), ($2, 'x', now())`,
      [leftover, recent],
    );
    await app.admin.query(`UPDATE raw_keys SET created_at = now() - interval '2 hours' WHERE id = $1`, [
      waiting,
    ]);
    expect(await sweepPushKeys(app.ctx)).toBe(1);
    expect([await keyOf(waiting), await keyOf(leftover), await keyOf(recent)].map(Boolean)).toEqual([
      true,
      false,
      true,
    ]);
    await app.admin.query('DELETE FROM raw_keys WHERE id = $1', [recent]);
  });
});

describe('erasure', () => {
  const tenant = () => testActing({ accountId: app.account.uuid, environment: 'live' });
  const erase = async (userId: string) => {
    await deleteUser(app.ctx, tenant(), userId);
    return eraseUser(app.ctx, userId);
  };

  test('destroys the key for good', async () => {
    const user = await createPhoneUser(app);
    await user.upload({ id: 'scale' }, weight(1));
    const [stored] = await storedOf(user);
    expect((await keyOf(user.uuid))?.sealed).toBeInstanceOf(Buffer);
    await erase(user.uuid);
    expect(await keyOf(user.uuid)).toEqual({ sealed: null });
    const node = anotherNode();
    const decrypt = await node.readKeys([{ ...stored!, userId: user.uuid }]);
    expect(() => decrypt({ ...stored!, userId: user.uuid })).toThrow('destroyed');
    await expect(node.encrypt(user.uuid, randomUUID(), Buffer.from('x'))).rejects.toThrow(KeyDestroyedError);
  });

  test('of a user without a key prevents that one is created later', async () => {
    const user = await createPhoneUser(app);
    await erase(user.uuid);
    await expect(anotherNode().encrypt(user.uuid, randomUUID(), Buffer.from('x'))).rejects.toThrow(
      KeyDestroyedError,
    );
  });

  test('leaves nothing readable of uploads that arrive at the same time', { timeout: 120_000 }, async () => {
    for (let round = 0; round < 3; round += 1) {
      const user = await createPhoneUser(app);
      await user.upload({ id: 'scale' }, weight(1));
      const erased = new AbortController();
      const uploads = (async () => {
        const statuses: number[] = [];
        while (!erased.signal.aborted) {
          const batch = {
            batch_id: randomUUID(),
            device: { provider: 'apple_health', kind: 'watch', id: 'x' },
            ...weight(2),
          };
          const { status } = await app.request('POST', '/v1/sdk/batches', {
            key: user.accessToken,
            body: batch,
          });
          statuses.push(status);
        }
        return statuses;
      })();
      await erase(user.uuid);
      erased.abort();
      for (const status of await uploads) expect([202, 401, 503]).toContain(status);
      expect(await storedOf(user)).toEqual([]);
      expect(await keyOf(user.uuid)).toEqual({ sealed: null });
    }
  });

  test('waits for pushes that arrived before', async () => {
    const user = await createPhoneUser(app);
    const { confirm: _, ...encrypted } = await app.ctx.rawPayloads.encryptPush(zstdCompressSync('{}'));
    await insertPush(app.ctx.db, { environment: 'sandbox', provider: 'garmin', headers: {}, ...encrypted });
    await deleteUser(app.ctx, tenant(), user.uuid);
    const order: string[] = [];
    const erasing = eraseUser(app.ctx, user.uuid).then(() => order.push('erased'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    order.push('processed');
    await processPush(app.ctx);
    await erasing;
    expect(order).toEqual(['processed', 'erased']);
  });

  test('counts payloads of a restored backup as unreadable, and does not stop at them', async () => {
    const [user, other] = [await createPhoneUser(app), await createPhoneUser(app)];
    await user.upload({ id: 'scale' }, weight(1));
    await other.upload({ id: 'scale' }, weight(1));
    await storePlain([user, other]);
    await app.ctx.rawPayloads.destroyUserKey(user.uuid);
    expect(await encryptStored(app.ctx)).toMatchObject({ encrypted: 1, unreadable: 1 });
    const batch = {
      batch_id: randomUUID(),
      device: { provider: 'apple_health', kind: 'watch', id: 'x' },
      ...weight(2),
    };
    const late = await app.request('POST', '/v1/sdk/batches', { key: user.accessToken, body: batch });
    expect(late.status).toBe(503);
    await workThrough(app);
  });
});
