import { jetstreamManager, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { subjects } from './subjects.ts';

/** Pointers to work that is already committed: each is removed once it was acted upon. */
const ingestStream = {
  name: 'TRIBUTARY_INGEST',
  subjects: [subjects.ingest],
  retention: RetentionPolicy.Workqueue,
  storage: StorageType.File,
  max_bytes: 1_073_741_824,
} satisfies Partial<StreamConfig> & { name: string };

/** Makes the streams that this version needs, or brings their settings up to date. Safe to run on many nodes at once. */
export async function ensureStreams(connection: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(connection);
  try {
    await manager.streams.add(ingestStream);
  } catch (error) {
    if (!String(error).includes('already in use')) throw error;
    await manager.streams.update(ingestStream.name, ingestStream);
  }
}

/** How many pointers wait in the ingest stream. */
export async function countWaitingPointers(connection: NatsConnection): Promise<number> {
  const manager = await jetstreamManager(connection);
  const info = await manager.streams.info(ingestStream.name);
  return info.state.messages;
}
