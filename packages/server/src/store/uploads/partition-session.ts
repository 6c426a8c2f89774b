import type pg from 'pg';
import type { Config } from '../../config.ts';
import { openSession } from '../database/database.ts';
import { PartitionShare, type PartitionKind } from './partition-locks.ts';

/** A session that holds partitions. Give it up when it breaks, because others take over its partitions. */
export interface PartitionSession extends AsyncDisposable {
  client: pg.Client;
  share: PartitionShare;
  /** Throws after the session has ended. */
  check(): void;
}

/** Opens a session that shares the partitions of its kind with others. Calls `onBroken` as soon as it ends, and `onResponse` with every response of the server. */
export async function openPartitionSession(
  { secrets, database, nodeName }: Config,
  kind: PartitionKind,
  { onBroken, onResponse }: { onBroken: () => void; onResponse: () => void },
): Promise<PartitionSession> {
  const client = await openSession({
    url: secrets.database.direct,
    role: 'operator',
    statementTimeoutMs: database.statementTimeoutMs,
    applicationName: `tributary-${kind}-${nodeName}`,
    onResponse,
  });
  let broken: Error | null = null;
  client.once('error', (error) => {
    broken = error;
    onBroken();
  });
  const share = new PartitionShare(client, kind);
  const session = {
    client,
    share,
    check() {
      if (broken) throw broken;
    },
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  };
  try {
    await share.join();
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
  return session;
}
