import { zstdDecompressSync } from 'node:zlib';
import { findProvider, type Notice, type Provider } from '@tributary/providers';
import { findConnection, listConnectionsOfPerson } from '../../store/connections/connections.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { holdConsent, insertDocumentBatches } from '../../store/connections/retained-documents.ts';
import { deletePush, takePush, type ProviderPush } from '../../store/connections/provider-pushes.ts';
import { insertNotice, notePush } from '../../store/connections/sync-notices.ts';
import { expireConnection } from '../connections/expire-connection.ts';
import { KeyDestroyedError } from '../raw-payloads/user-keys.ts';
import { packDocuments } from './document-payload.ts';
import { isShared, type SyncContext } from './run.ts';

/** Processes the oldest waiting push: stores the data it contains and queues its notices for the next run. Returns false if none is waiting. */
export async function processPush(ctx: SyncContext): Promise<boolean> {
  const reached: { userId: string }[] = [];
  let keyId: string | null = null;
  const hasPush = await inTransaction(ctx.operator, async (tx) => {
    const push = await takePush(tx);
    if (!push) return false;
    keyId = push.keyId;
    const provider = findProvider(push.provider);
    const body = await ctx.rawPayloads.decryptPush(push);
    if (body === null) ctx.log.error({ provider: push.provider }, 'the key of a push does not exist');
    const notices =
      body === null ? [] : (provider?.push?.notices(zstdDecompressSync(body).toString(), push.headers) ?? []);
    // Process users in a fixed order, so that two pushes about the same users do not deadlock.
    const inOrder = notices.toSorted((a, b) => (a.userId < b.userId ? -1 : a.userId > b.userId ? 1 : 0));
    for (const notice of inOrder) reached.push(...(await spread(ctx, tx, provider!, push, notice)));
    await deletePush(tx, push.id);
    return true;
  });
  if (reached.length > 0) ctx.announce(reached);
  // If this fails, the next sweep destroys the key.
  if (keyId !== null)
    await ctx.rawPayloads
      .destroyPushKeys([keyId])
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'failed to destroy the key of a push'));
  return hasPush;
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
