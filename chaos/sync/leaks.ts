import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdDecompressSync } from 'node:zlib';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createClient } from 'redis';
import { RawPayloads } from '@tributary/server/testing/credentials';
import type { World } from './world.ts';

const run = promisify(execFile);
const mostDumpBytes = 2 * 1024 ** 3;

/** Places where a secret of the lab is readable, as `place: count`. */
export async function findLeaks(world: World): Promise<{ searchedPlaces: string[]; leaks: string[] }> {
  const search = new Search(world.relay.secrets);
  await searchDatabase(world, search);
  await searchLogs(world, search);
  await searchStreams(world, search);
  await searchRedis(world, search);
  return { searchedPlaces: search.searchedPlaces, leaks: search.leaks };
}

/** Searches texts for secrets, in plain and in hexadecimal, which is how dumps show bytes. */
class Search {
  readonly #secrets: ReadonlySet<string>;
  readonly #lengths: number[];
  readonly #leakCounts = new Map<string, number>();
  readonly #sizes = new Map<string, number>();

  constructor(secrets: ReadonlySet<string>) {
    this.#secrets = secrets;
    this.#lengths = [...new Set([...secrets].map(({ length }) => length))];
  }

  get leaks(): string[] {
    return [...this.#leakCounts].map(([place, count]) => `${place}: ${count}`);
  }

  get searchedPlaces(): string[] {
    return [...this.#sizes].map(([place, size]) => `${place} ${(size / 1024).toFixed(0)} KiB`);
  }

  read(place: string, text: string): void {
    this.#sizes.set(place, (this.#sizes.get(place) ?? 0) + text.length);
    for (const [word] of text.matchAll(/[\w.~+/=-]{20,}/g)) {
      if (this.#holds(word)) this.#leakCounts.set(place, (this.#leakCounts.get(place) ?? 0) + 1);
    }
  }

  #holds(word: string): boolean {
    if (this.#secrets.has(word)) return true;
    const bytes = /^[0-9a-f]+$/.test(word) ? Buffer.from(word, 'hex').toString('latin1') : null;
    return this.#lengths.some((length) => {
      for (const text of bytes === null ? [word] : [word, bytes])
        for (let at = 0; at + length <= text.length; at += 1)
          if (this.#secrets.has(text.slice(at, at + length))) return true;
      return false;
    });
  }
}

/** Dumps the whole database, and again the data that it stores compressed and encrypted. */
async function searchDatabase({ run: { admin, stack, keyring } }: World, search: Search): Promise<void> {
  const url = new URL(stack.engines.adminDatabaseUrl);
  url.pathname = '/tributary';
  const { stdout } = await run('pg_dump', ['--exclude-table-data=raw_batches*', url.href], {
    maxBuffer: mostDumpBytes,
  });
  search.read('pg_dump', stdout);
  using payloads = new RawPayloads(admin, null, keyring);
  const { rows: batches } = await admin.query<{ userId: string; batchId: string; payload: Buffer }>(
    'SELECT user_id AS "userId", batch_id AS "batchId", payload FROM raw_batches',
  );
  const decrypt = await payloads.readKeys(batches);
  for (const batch of batches)
    search.read('raw_batches.payload', zstdDecompressSync(decrypt(batch)).toString());
  const { rows: pushes } = await admin.query<{ keyId: string | null; body: Buffer }>(
    'SELECT key_id AS "keyId", body FROM provider_pushes',
  );
  for (const push of pushes) {
    const body = await payloads.decryptPush(push);
    if (body) search.read('provider_pushes.body', zstdDecompressSync(body).toString());
  }
}

async function searchLogs({ run: { stack } }: World, search: Search): Promise<void> {
  const folder = join(stack.dir, 'logs');
  for (const name of await readdir(folder))
    search.read('logs', await readFile(join(folder, name), 'utf8').catch(() => ''));
}

async function searchStreams({ run: { stack } }: World, search: Search): Promise<void> {
  const connection = await connect({ servers: stack.engines.natsUrl });
  try {
    const manager = await jetstreamManager(connection);
    for await (const { config, state } of manager.streams.list())
      for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
        const message = await manager.streams.getMessage(config.name, { seq }).catch(() => null);
        if (message) search.read('JetStream', `${message.subject} ${message.string()}`);
      }
    search.read('JetStream', '');
  } finally {
    await connection.close();
  }
}

async function searchRedis({ run: { stack } }: World, search: Search): Promise<void> {
  const client = createClient({ url: stack.engines.redisUrl });
  await client.connect();
  try {
    search.read('Redis', '');
    for await (const keys of client.scanIterator())
      for (const key of keys) search.read('Redis', `${key} ${(await client.get(key).catch(() => '')) ?? ''}`);
  } finally {
    client.destroy();
  }
}
