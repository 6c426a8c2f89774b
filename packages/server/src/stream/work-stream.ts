import {
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type ConsumerMessages,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { subjects } from './subjects.ts';

/** Partitions of users. Which one a user is in never changes. */
export const partitionCount = 64;

/**
 * Pointers to committed work: one message a commit, naming the partitions in which something waits. What waits is in the database, so
 * a pointer that is lost costs a second at most, until its partition is looked at anyway; old ones are of no use and are dropped.
 */
const workStream = {
  name: 'TRIBUTARY_WORK',
  subjects: [subjects.work],
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  storage: StorageType.File,
  max_msgs: 10_000,
  max_age: nanos(60_000),
} satisfies Partial<StreamConfig> & { name: string };

/** Makes the stream, or brings its settings up to date. Safe to run on many nodes at once. */
export async function ensureWorkStream(connection: NatsConnection, replicas: number): Promise<void> {
  const manager = await jetstreamManager(connection);
  const config = { ...workStream, num_replicas: replicas };
  try {
    await manager.streams.add(config);
  } catch (error) {
    if (!String(error).includes('already in use')) throw error;
    await manager.streams.update(workStream.name, config);
  }
}

/** Points at partitions in which something was committed. Resolves when the broker has it; rejects soon when the broker is away. */
export async function publishWork(
  connection: NatsConnection,
  partitions: ReadonlySet<number>,
): Promise<void> {
  await jetstream(connection).publish(subjects.work, maskOf(partitions), { timeout: 500 });
}

/** Tells of every pointer that is published from now on, until the broker fails or falls silent, or `signal` aborts. */
export async function followWork(
  connection: NatsConnection,
  signal: AbortSignal,
  onWork: (partitions: number[]) => void,
): Promise<void> {
  const consumer = await jetstream(connection).consumers.get(workStream.name, {
    deliver_policy: DeliverPolicy.New,
    inactive_threshold: 30_000,
  });
  const messages = await consumer.consume({
    max_messages: 500,
    idle_heartbeat: 2_000,
    abort_on_missing_resource: true,
  });
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    void stopWhenSilent(messages);
    for await (const message of messages) onWork(partitionsOf(message.string()));
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A consumer dies with its server, while the connection to another server stays: only the missing heartbeats tell. */
async function stopWhenSilent(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status()) if (type === 'heartbeats_missed') messages.stop();
}

/** Sixty-four bits in hexadecimal. */
function maskOf(partitions: ReadonlySet<number>): string {
  let mask = 0n;
  for (const partition of partitions) mask |= 1n << BigInt(partition);
  return mask.toString(16);
}

function partitionsOf(text: string): number[] {
  if (!/^[0-9a-f]{1,16}$/.test(text)) return []; // not ours: what waits is found without it
  const mask = BigInt(`0x${text}`);
  return Array.from({ length: partitionCount }, (_, at) => at).filter((at) => (mask >> BigInt(at)) & 1n);
}
