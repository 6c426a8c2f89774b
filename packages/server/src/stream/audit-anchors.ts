import {
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { subjects } from './subjects.ts';

const stream = 'TRIBUTARY_AUDIT';
/** Anchors retained per chain. */
const maxAnchors = 64;
const timeoutMs = 2_000;

/** The end of an audit chain at some time, stored outside the database. Hash and signature are hexadecimal. */
export interface Anchor {
  accountId: string;
  position: number;
  hash: string;
  signature: string;
}

/** Creates the stream or updates its settings. Safe to run on many nodes at once. */
export async function ensureAnchorStream(connection: NatsConnection, replicas: number): Promise<void> {
  const manager = await jetstreamManager(connection, { timeout: timeoutMs });
  const config = {
    name: stream,
    subjects: [`${subjects.auditHead}.>`],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    storage: StorageType.File,
    max_msgs_per_subject: maxAnchors,
    num_replicas: replicas,
    // Newer anchors displace old ones. They cannot be deleted by hand.
    deny_delete: true,
    deny_purge: true,
  };
  try {
    await manager.streams.add(config);
  } catch (error) {
    if (!String(error).includes('already in use')) throw error;
    await manager.streams.update(stream, config);
  }
}

/** Resolves when the broker has stored it. Rejects soon if the broker is unavailable. */
export async function publishAnchor(
  connection: NatsConnection,
  log: string,
  { accountId, position, hash, signature }: Anchor,
): Promise<void> {
  const subject = `${subjects.auditHead}.${log}.${accountId}`;
  await jetstream(connection).publish(subject, JSON.stringify({ position, hash, signature }), {
    timeout: timeoutMs,
  });
}

/** The anchors of an audit log, oldest first: all retained ones or the last of each chain, for one account or all. */
export async function listAnchors(
  connection: NatsConnection,
  log: string,
  { accountId, lastOnly = false }: { accountId?: string; lastOnly?: boolean } = {},
): Promise<Anchor[]> {
  const filter = `${subjects.auditHead}.${log}.${accountId ?? '*'}`;
  const manager = await jetstreamManager(connection, { timeout: timeoutMs });
  const isThere = await manager.streams
    .getMessage(stream, { last_by_subj: filter })
    .catch((error: unknown) => {
      if (/not found|no message found/i.test(String(error))) return null; // neither the stream nor a message exists
      throw error;
    });
  if (!isThere) return [];
  const consumer = await jetstream(connection, { timeout: timeoutMs }).consumers.get(stream, {
    filter_subjects: filter,
    deliver_policy: lastOnly ? DeliverPolicy.LastPerSubject : DeliverPolicy.All,
  });
  const anchors: Anchor[] = [];
  const messages = await consumer.consume({ max_messages: 1_000, idle_heartbeat: timeoutMs });
  void (async () => {
    for await (const { type } of messages.status())
      if (type === 'heartbeats_missed')
        messages.stop(new Error('NATS missed its heartbeats while anchors were being read'));
  })();
  for await (const message of messages) {
    anchors.push({ accountId: message.subject.split('.').at(-1)!, ...readAnchor(message.string()) });
    if (message.info.pending === 0) break;
  }
  return anchors;
}

/** A foreign message also has a foreign signature, which the signature check detects. */
function readAnchor(payload: string): Omit<Anchor, 'accountId'> {
  try {
    const { position, hash, signature } = JSON.parse(payload) as Record<string, unknown>;
    return { position: Number(position), hash: String(hash), signature: String(signature) };
  } catch {
    return { position: 0, hash: '', signature: '' };
  }
}
