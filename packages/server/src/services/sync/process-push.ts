import { zstdDecompressSync } from 'node:zlib';
import { dayMs, minuteMs } from '@tributary/domain';
import { findProvider, type Notice, type Provider } from '@tributary/providers';
import { findConnection, listConnectionsOfPerson } from '../../store/connections/connections.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { holdConsent, insertDocumentBatches } from '../../store/connections/retained-documents.ts';
import {
  deletePush,
  postponePush,
  takePush,
  type ProviderPush,
} from '../../store/connections/provider-pushes.ts';
import { insertNotice, notePush } from '../../store/connections/sync-notices.ts';
import { expireConnection } from '../connections/expire-connection.ts';
import { KeyDestroyedError } from '../raw-payloads/user-keys.ts';
import { packDocuments } from './document-payload.ts';
import { isShared, type SyncContext } from './run.ts';

const longestWaitMs = 10 * minuteMs;
/** After this time, a push that never could be processed is dropped, so that nothing keeps the data of a person forever. */
const dropAfterMs = 7 * dayMs;

/**
 * Processes the oldest push that is due: stores the data it contains and queues its notices for the next run. Returns false if none is due. A push
 * that fails is tried again later, and others pass it.
 */
export async function processPush(ctx: SyncContext): Promise<boolean> {
  // TypeScript does not see the assignment in the callback.
  let push = null as ProviderPush | null;
  try {
    const reached = await inTransaction(ctx.operator, async (tx) => {
      push = await takePush(tx);
      return push && dispatch(ctx, tx, push);
    });
    if (!reached || !push) return false;
    if (reached.length > 0) ctx.announce(reached);
    await destroyKey(ctx, push);
  } catch (error) {
    if (!push) throw error;
    await handleFailure(ctx, push, error);
  }
  return true;
}

/** Returns the users who got data. */
async function dispatch(ctx: SyncContext, tx: Queryable, push: ProviderPush): Promise<{ userId: string }[]> {
  const provider = findProvider(push.provider);
  const body = await ctx.rawPayloads.decryptPush(push);
  if (body === null) ctx.log.error({ provider: push.provider }, 'the key of a push does not exist');
  const notices =
    body === null ? [] : (provider?.push?.notices(zstdDecompressSync(body).toString(), push.headers) ?? []);
  // Process users in a fixed order, so that two pushes about the same users do not deadlock.
  const inOrder = notices.toSorted((a, b) => (a.userId < b.userId ? -1 : a.userId > b.userId ? 1 : 0));
  const reached: { userId: string }[] = [];
  for (const notice of inOrder) reached.push(...(await spread(ctx, tx, provider!, push, notice)));
  await deletePush(tx, push.id);
  return reached;
}

/** If the database is unavailable, this throws as well, and the push has not lost an attempt. */
async function handleFailure(ctx: SyncContext, push: ProviderPush, error: unknown): Promise<void> {
  const { id, provider, failures, receivedMs } = push;
  const isDropped = ctx.clock.now() - receivedMs > dropAfterMs;
  if (isDropped) await deletePush(ctx.operator, id);
  else await postponePush(ctx.operator, id, Math.min(longestWaitMs, 1_000 * 2 ** Math.min(failures, 20)));
  ctx.metrics.failedPushes.inc({ provider, outcome: isDropped ? 'dropped' : 'postponed' });
  // The message of a parser may quote the body.
  const name = error instanceof Error ? error.name : 'unknown';
  const code = (error as { code?: unknown } | null)?.code;
  ctx.log.error(
    { provider, push: id, failures: failures + 1, error: name, code, isDropped },
    'failed to process a push',
  );
  if (isDropped) await destroyKey(ctx, push);
}

/** If this fails, the next sweep destroys the key. */
async function destroyKey(ctx: SyncContext, { keyId }: ProviderPush): Promise<void> {
  if (keyId === null) return;
  await ctx.rawPayloads
    .destroyPushKeys([keyId])
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'failed to destroy the key of a push'));
}

/** Dispatches a notice to all connections it concerns, and returns the users who got data. Unknown users are ignored. */
async function spread(
  ctx: SyncContext,
  tx: Queryable,
  provider: Provider,
  push: ProviderPush,
  { userId: externalId, ...notice }: Notice,
): Promise<{ userId: string }[]> {
  const reached: { userId: string }[] = [];
  for (const connection of await listConnectionsOfPerson(tx, push, externalId)) {
    if (!(await holdConsent(tx, connection.deviceId))) continue;
    if (notice.kind === 'data') {
      // Nothing of a category that the person does not share is stored, not even raw.
      const stream = provider.streams.find(({ name }) => name === notice.stream);
      if (!stream || !isShared(connection, stream)) continue;
      const packed = packDocuments(provider, notice.stream, notice);
      const plain = packed.map((one) => ({ batchId: ctx.newId(), createdMs: push.receivedMs, ...one }));
      const batches = await encryptUnlessErased(ctx, connection.userId, plain);
      await insertDocumentBatches(tx, connection.userId, connection.scopes, batches);
      await notePush(tx, connection.deviceId, { isNews: true });
      reached.push(connection);
    } else if (notice.kind === 'revoked') {
      const whole = await findConnection(tx, connection.deviceId);
      if (whole) await expireConnection(ctx, tx, whole);
    } else {
      await insertNotice(tx, connection, notice);
    }
  }
  return reached;
}

/** After a restore from a backup, a user may exist whose key was destroyed. Their data is not stored, and does not stop the data of others. */
async function encryptUnlessErased<Batch extends { batchId: string; payload: Buffer }>(
  ctx: SyncContext,
  userId: string,
  batches: readonly Batch[],
): Promise<Batch[]> {
  try {
    return await ctx.rawPayloads.encryptAll(userId, batches);
  } catch (error) {
    if (error instanceof KeyDestroyedError) return [];
    throw error;
  }
}
