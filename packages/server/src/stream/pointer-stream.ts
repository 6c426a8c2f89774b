import {
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type ConsumerMessages,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '@tributary/domain';
import type { Core } from '../core.ts';

/**
 * A stream of pointers: messages that say where something was committed. The data itself is in the database, so a lost pointer costs at most one
 * second, until the next poll. Old pointers are useless and are dropped.
 */
export interface PointerStream {
  name: string;
  subject: string;
}

/** Resolves when the broker has stored it. Rejects soon if the broker is unavailable. */
export async function publishPointer(
  connection: NatsConnection,
  { subject }: PointerStream,
  payload: string,
): Promise<void> {
  await jetstream(connection).publish(subject, payload, { timeout: 500 });
}

/** Maximum pointers waiting for the broker at once. Polling finds what the others point at. */
const mostOutstanding = 64;

/** Creates a publisher of pointers that never waits and never fails: a lost pointer only costs latency. */
export function createPointing({
  broker,
  metrics,
}: Pick<Core, 'broker' | 'metrics'>): (publish: (connection: NatsConnection) => Promise<void>) => void {
  let outstanding = 0;
  return (publish) => {
    const { connection, connected } = broker;
    if (!connection || !connected || outstanding >= mostOutstanding) return;
    outstanding += 1;
    publish(connection)
      .catch(() => metrics.lostPointers.inc())
      .finally(() => (outstanding -= 1));
  };
}

/**
 * Calls `onPointer` for every pointer published from now on, across failures of the broker, until `signal` aborts. `onFollowing` reports whether
 * pointers currently arrive, so that the caller can poll faster while they do not.
 */
export async function followPointers(
  ctx: Pick<Core, 'broker' | 'config' | 'log'>,
  stream: PointerStream,
  signal: AbortSignal,
  onPointer: (payload: string) => void,
  onSubscribed: (isSubscribed: boolean) => void = () => {},
): Promise<void> {
  while (!signal.aborted) {
    const { connection, connected, lost } = ctx.broker;
    if (connection && connected) {
      try {
        await ensureStream(connection, stream, ctx.config.nats.replicas);
        const messages = await consume(connection, stream);
        onSubscribed(true);
        await follow(messages, AbortSignal.any([signal, lost]), onPointer);
      } catch (error) {
        if (!signal.aborted) ctx.log.warn({ err: error, stream: stream.name }, 'failed to consume pointers');
      }
      onSubscribed(false);
    }
    await sleep(500, undefined, { signal }).catch(() => {});
  }
}

/** Creates the stream or updates its settings. Safe to run on many nodes at once. */
async function ensureStream(
  connection: NatsConnection,
  { name, subject }: PointerStream,
  replicas: number,
): Promise<void> {
  const manager = await jetstreamManager(connection);
  const config = {
    name,
    subjects: [subject],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    storage: StorageType.File,
    max_msgs: 10_000,
    max_age: nanos(minuteMs),
    num_replicas: replicas,
  };
  try {
    await manager.streams.add(config);
  } catch (error) {
    if (!String(error).includes('already in use')) throw error;
    await manager.streams.update(name, config);
  }
}

async function consume(connection: NatsConnection, { name }: PointerStream): Promise<ConsumerMessages> {
  const consumer = await jetstream(connection).consumers.get(name, {
    deliver_policy: DeliverPolicy.New,
    inactive_threshold: 30_000,
  });
  return consumer.consume({ max_messages: 500, idle_heartbeat: 2_000, abort_on_missing_resource: true });
}

/** Consumes until the broker fails or falls silent, or `signal` aborts. */
async function follow(
  messages: ConsumerMessages,
  signal: AbortSignal,
  onPointer: (payload: string) => void,
): Promise<void> {
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    void stopWhenSilent(messages);
    for await (const message of messages) onPointer(message.string());
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A consumer dies with its server while the connection to another server stays. Only the missing heartbeats reveal it. */
async function stopWhenSilent(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status()) if (type === 'heartbeats_missed') messages.stop();
}
