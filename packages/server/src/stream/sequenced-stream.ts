import type { NatsConnection } from '@nats-io/transport-node';
import { publishPointer, type PointerStream } from './pointer-stream.ts';
import { subjects } from './subjects.ts';

/** Points at newly sequenced events. */
export const sequencedStream: PointerStream = { name: 'TRIBUTARY_SEQUENCED', subject: subjects.sequenced };

/** Feeds that have grown, and webhooks that have new deliveries. */
export interface SequencedPointer {
  /** Account, environment, and the last assigned position. */
  feeds: readonly (readonly [account: string, environment: string, head: number])[];
  webhooks: readonly string[];
}

/** Maximum entries per message, well below the broker's limit of one megabyte. */
const mostNamed = 2_000;

/** Resolves when the broker has stored all of it. Rejects soon if the broker is unavailable. */
export async function publishSequenced(
  connection: NatsConnection,
  { feeds, webhooks }: SequencedPointer,
): Promise<void> {
  const published: Promise<void>[] = [];
  for (let at = 0; at < Math.max(feeds.length, webhooks.length); at += mostNamed) {
    const part = { feeds: feeds.slice(at, at + mostNamed), webhooks: webhooks.slice(at, at + mostNamed) };
    published.push(publishPointer(connection, sequencedStream, JSON.stringify(part)));
  }
  await Promise.all(published);
}

/** Parses a pointer. Returns an empty one for a foreign message, since polling finds everything anyway. */
export function readSequenced(payload: string): SequencedPointer {
  try {
    const { feeds, webhooks } = JSON.parse(payload) as Partial<SequencedPointer>;
    return { feeds: Array.isArray(feeds) ? feeds : [], webhooks: Array.isArray(webhooks) ? webhooks : [] };
  } catch {
    return { feeds: [], webhooks: [] };
  }
}
