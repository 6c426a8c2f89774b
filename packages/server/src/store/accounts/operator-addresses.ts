import type { Queryable } from '../database/database.ts';

const rememberDays = 90;
const mostAddresses = 20;

/** Whether the dashboard user with this email address has signed in from an address. */
export async function isKnownAddress(db: Queryable, email: string, addressHash: Buffer): Promise<boolean> {
  const result = await db.query<{ known: boolean }>({
    name: 'operator-addresses/is-known',
    text: `SELECT EXISTS (SELECT FROM auth.operators o JOIN operator_addresses a ON a.operator_id = o.id
             WHERE o.email = $1 AND a.address_hash = $2
               AND a.signed_in_at > tributary_now() - $3 * interval '1 day') AS known`,
    values: [email, addressHash, rememberDays],
  });
  return result.rows[0]!.known;
}

/** Records an address from which a dashboard user signed in, and forgets the oldest ones. */
export async function insertAddress(tx: Queryable, operatorId: string, addressHash: Buffer): Promise<void> {
  await tx.query({
    text: `INSERT INTO operator_addresses (operator_id, address_hash, signed_in_at) VALUES ($1, $2, tributary_now())
           ON CONFLICT (operator_id, address_hash) DO UPDATE SET signed_in_at = tributary_now()`,
    values: [operatorId, addressHash],
  });
  await tx.query({
    text: `DELETE FROM operator_addresses WHERE operator_id = $1 AND address_hash NOT IN (
             SELECT address_hash FROM operator_addresses WHERE operator_id = $1 ORDER BY signed_in_at DESC LIMIT $2)`,
    values: [operatorId, mostAddresses],
  });
}

export async function deleteOldAddresses(db: Queryable): Promise<void> {
  await db.query({
    text: `DELETE FROM operator_addresses WHERE signed_in_at <= tributary_now() - $1 * interval '1 day'`,
    values: [rememberDays],
  });
}
