import type pg from 'pg';
import type { Config } from '../config.ts';
import { openSession } from './database.ts';
import { PartitionShare, type PartitionKind } from './partition-locks.ts';

/** A session that holds partitions, and has to be given up when it breaks: others take them over then. */
export interface PartitionSession extends AsyncDisposable {
  client: pg.Client;
  share: PartitionShare;
  /** Throws once the session is over. */
  check(): void;
}

/** Opens a session that shares the partitions of its kind with others. `onBroken` hears at once when it is over. */
export async function openPartitionSession(
  { secrets, database, nodeName }: Config,
  kind: PartitionKind,
  onBroken: () => void,
): Promise<PartitionSession> {
  const client = await openSession({
    url: secrets.databaseUrl,
    role: 'operator',
    statementTimeoutMs: database.statementTimeoutMs,
    applicationName: `tributary-${kind}-${nodeName}`,
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
