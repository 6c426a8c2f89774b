import type { NatsConnection } from '@nats-io/transport-node';
import { partitionCount } from '../partitions.ts';
import { publishPointer, type PointerStream } from './pointer-stream.ts';
import { subjects } from './subjects.ts';

/** Points at committed uploads: one message per commit, naming the partitions with pending batches. */
export const workStream: PointerStream = { name: 'TRIBUTARY_WORK', subject: subjects.work };

/** Publishes the partitions with new batches. Resolves when the broker has stored it. Rejects soon if the broker is unavailable. */
export function publishWork(connection: NatsConnection, partitions: ReadonlySet<number>): Promise<void> {
  return publishPointer(connection, workStream, maskOf(partitions));
}

/** 64 bits in hexadecimal. */
function maskOf(partitions: ReadonlySet<number>): string {
  let mask = 0n;
  for (const partition of partitions) mask |= 1n << BigInt(partition);
  return mask.toString(16);
}

/** The partitions that a pointer names. */
export function partitionsOf(text: string): number[] {
  if (!/^[0-9a-f]{1,16}$/.test(text)) return []; // foreign message: polling finds everything anyway
  const mask = BigInt(`0x${text}`);
  return Array.from({ length: partitionCount }, (_, at) => at).filter((at) => (mask >> BigInt(at)) & 1n);
}
