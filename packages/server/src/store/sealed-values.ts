import type { Queryable } from './database.ts';

/** Columns of sealed values, with the key of their row. */
const places = {
  connections: { table: 'connections', keys: { device_id: 'uuid' }, column: 'tokens' },
  connect_links: { table: 'connect_links', keys: { id: 'uuid' }, column: 'sealed' },
  provider_apps: { table: 'provider_apps', keys: { provider: 'text' }, column: 'sealed' },
  push_set_ups: { table: 'push_set_ups', keys: { environment: 'text', provider: 'text' }, column: 'sealed' },
  webhook_secrets: { table: 'webhooks', keys: { id: 'uuid' }, column: 'secret' },
  previous_webhook_secrets: { table: 'webhooks', keys: { id: 'uuid' }, column: 'previous_secret' },
  sign_in_secrets: { table: 'sign_in_secrets', keys: { only_row: 'boolean' }, column: 'sealed' },
  signing_keys: { table: 'signing_keys', keys: { id: 'uuid' }, column: 'private_key' },
} as const;

export type SealedPlace = keyof typeof places;

export const sealedPlaces = Object.keys(places) as SealedPlace[];

export interface SealedValue {
  /** The key of the row, part by part. */
  key: string[];
  sealed: Buffer;
}

/** Values that were not sealed with the key of a version, in the order of their rows, from behind a row on. */
export async function listSealedOtherwise(
  operator: Queryable,
  place: SealedPlace,
  { version, after, limit }: { version: number; after: readonly string[] | null; limit: number },
): Promise<SealedValue[]> {
  const { table, keys, column } = places[place];
  const names = Object.keys(keys);
  const behind = `AND (${names.join(', ')}) > (${names.map((_, at) => `$${at + 3}`).join(', ')})`;
  const result = await operator.query<SealedValue>({
    // A secret that was wiped is empty.
    text: `SELECT ARRAY[${names.map((name) => `${name}::text`).join(', ')}] AS key, ${column} AS sealed FROM ${table}
           WHERE octet_length(${column}) > 2 AND substring(${column} FOR 2) <> $1 ${after ? behind : ''}
           ORDER BY ${names.join(', ')} LIMIT $2`,
    values: [versionBytes(version), limit, ...(after ?? [])],
  });
  return result.rows;
}

/**
 * Puts values in place of those that were read. What somebody replaced since stays, and rows that somebody works on are left for another
 * time, so that nobody waits for each other; answers how many were replaced.
 */
export async function replaceSealed(
  operator: Queryable,
  place: SealedPlace,
  values: readonly (SealedValue & { anew: Buffer })[],
): Promise<number> {
  const { table, keys, column } = places[place];
  const names = Object.keys(keys);
  const arrays = Object.values(keys).map((type, at) => `$${at + 3}::${type}[]`);
  const result = await operator.query({
    text: `WITH held AS (
             SELECT v.* FROM unnest(${arrays.join(', ')}, $1::bytea[], $2::bytea[]) AS v (${names.join(', ')}, old, anew)
             JOIN ${table} t USING (${names.join(', ')}) WHERE t.${column} = v.old FOR UPDATE OF t SKIP LOCKED
           )
           UPDATE ${table} t SET ${column} = held.anew FROM held
           WHERE ${names.map((name) => `t.${name} = held.${name}`).join(' AND ')} AND t.${column} = held.old`,
    values: [
      values.map(({ sealed }) => sealed),
      values.map(({ anew }) => anew),
      ...names.map((_, at) => values.map(({ key }) => key[at])),
    ],
  });
  return result.rowCount ?? 0;
}

function versionBytes(version: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(version);
  return bytes;
}
