/** A table with rows of users, and the condition for the rows of one. `$1` is the user. */
export interface ErasedTable {
  name: string;
  rows: string;
}

const ofUser = 'user_id = $1';

/** Everything that is erased with a user, in this order. A test fails for a table that names users and is listed neither here nor below. */
export const erasedTables: readonly ErasedTable[] = [
  // Before connections, which name the user at the provider. The same person may be another user, too.
  {
    name: 'provider_limits',
    rows: `(environment, provider, subject) IN (
      SELECT c.environment, c.provider, c.external_id FROM connections c WHERE c.user_id = $1 AND NOT EXISTS (
        SELECT FROM connections o WHERE o.environment = c.environment AND o.provider = c.provider
          AND o.external_id = c.external_id AND o.user_id <> $1))`,
  },
  // First of all others, because storing provider data locks the connection row. Links, notices, runs and streams go with it.
  { name: 'connect_links', rows: ofUser },
  { name: 'sync_notices', rows: ofUser },
  { name: 'sync_runs', rows: ofUser },
  { name: 'connection_streams', rows: ofUser },
  { name: 'connections', rows: ofUser },
  { name: 'pending_batches', rows: `partition = partition_of($1) AND ${ofUser}` },
  { name: 'dead_letters', rows: ofUser },
  { name: 'receipts', rows: ofUser },
  { name: 'raw_batches', rows: ofUser },
  { name: 'stale_scores', rows: ofUser },
  { name: 'score_days', rows: ofUser },
  { name: 'canonical_months', rows: ofUser },
  { name: 'canonical_sleep', rows: ofUser },
  { name: 'canonical_workouts', rows: ofUser },
  { name: 'device_days', rows: ofUser },
  { name: 'device_sleep', rows: ofUser },
  { name: 'device_workouts', rows: ofUser },
  { name: 'device_records', rows: ofUser },
  { name: 'sample_chunks', rows: ofUser },
  { name: 'devices', rows: ofUser },
  { name: 'sdk_session_requests', rows: ofUser },
  { name: 'sdk_sessions', rows: ofUser },
  { name: 'mobile_tokens', rows: ofUser },
  // Only the deletion itself is still delivered.
  { name: 'deliveries', rows: `${ofUser} AND type <> 'user.deleted'` },
  { name: 'mails', rows: ofUser },
  { name: 'roster_invitations', rows: ofUser },
  { name: 'roster_members', rows: ofUser },
  // After everything that can still cause an entry: the writer of an entry holds a row of a table above, or the user.
  { name: 'audit_texts', rows: 'person = $1' },
];

/** Tables that name a user and keep their rows, each with the reason. */
export const retainedTables: Readonly<Record<string, string>> = {
  events: 'keep their position, so that no reader misses one; their content is erased',
  feed: 'as events: keep their position, their content is erased',
  raw_keys: 'that the key of the user was destroyed, and when; not the key',
  erasures: 'proof of what was erased: an opaque id, times and counts',
  audit_intake: 'the action stays on record; personal text is in audit_texts',
  audit_log: 'as audit_intake: the log is append-only',
  access_records: 'who read data stays on record: an opaque id, until the retention ends',
};
