import type { NatsConnection } from '@nats-io/transport-node';
import { publishPointer, type PointerStream } from './pointer-stream.ts';
import { subjects } from './subjects.ts';

/** Points at what the sequencer just placed. */
export const sequencedStream: PointerStream = { name: 'TRIBUTARY_SEQUENCED', subject: subjects.sequenced };

/** Where feeds have grown, and which webhooks have something to deliver. */
export interface SequencedPointer {
  /** Account, environment, and the last place that was given there. */
  feeds: readonly (readonly [account: string, environment: string, head: number])[];
  webhooks: readonly string[];
}

/** What one message may name; well below the broker's bound of a megabyte. */
const mostNamed = 2_000;

/** Resolves when the broker has all of it; rejects soon when the broker is away. */
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

/** What a pointer says; nothing when it is not ours, since what waits is found without it. */
export function readSequenced(payload: string): SequencedPointer {
  try {
    const { feeds, webhooks } = JSON.parse(payload) as Partial<SequencedPointer>;
    return { feeds: Array.isArray(feeds) ? feeds : [], webhooks: Array.isArray(webhooks) ? webhooks : [] };
  } catch {
    return { feeds: [], webhooks: [] };
  }
}
