import type { Queryable } from './database.ts';

/** Columns with sealed values, and the keys of their rows. */
const places = {
  connections: { table: 'connections', keys: { device_id: 'uuid' }, column: 'tokens' },
  connect_links: { table: 'connect_links', keys: { id: 'uuid' }, column: 'sealed' },
  provider_apps: { table: 'provider_apps', keys: { provider: 'text' }, column: 'sealed' },
  push_set_ups: { table: 'push_set_ups', keys: { environment: 'text', provider: 'text' }, column: 'sealed' },
  webhook_secrets: { table: 'webhooks', keys: { id: 'uuid' }, column: 'secret' },
  previous_webhook_secrets: { table: 'webhooks', keys: { id: 'uuid' }, column: 'previous_secret' },
  sign_in_secrets: { table: 'sign_in_secrets', keys: { only_row: 'boolean' }, column: 'sealed' },
  raw_keys: { table: 'raw_keys', keys: { id: 'uuid' }, column: 'sealed' },
  // The same table in the separate key store.
  key_store: { table: 'raw_keys', keys: { id: 'uuid' }, column: 'sealed' },
  signing_keys: { table: 'signing_keys', keys: { id: 'uuid' }, column: 'private_key' },
} as const;

export type SealedPlace = keyof typeof places;

export const sealedPlaces = Object.keys(places) as SealedPlace[];

export interface SealedValue {
  /** The key of the row, column by column. */
  key: string[];
  sealed: Buffer;
}

/** Values that were sealed with a key of another version, in row order after a given row. */
export async function listSealedOtherwise(
  operator: Queryable,
  place: SealedPlace,
  { version, after, limit }: { version: number; after: readonly string[] | null; limit: number },
): Promise<SealedValue[]> {
  const { table, keys, column } = places[place];
  const names = Object.keys(keys);
  const behind = `AND (${names.join(', ')}) > (${names.map((_, at) => `$${at + 3}`).join(', ')})`;
  const result = await operator.query<SealedValue>({
    // A wiped secret is empty.
    text: `SELECT ARRAY[${names.map((name) => `${name}::text`).join(', ')}] AS key, ${column} AS sealed FROM ${table}
           WHERE octet_length(${column}) > 2 AND substring(${column} FOR 2) <> $1 ${after ? behind : ''}
           ORDER BY ${names.join(', ')} LIMIT $2`,
    values: [versionBytes(version), limit, ...(after ?? [])],
  });
  return result.rows;
}

/**
 * Replaces values with newly sealed ones. Skips values that changed since they were read and rows that are locked, so that there are no deadlocks.
 * Returns the number of replaced values.
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
