/** A table that holds rows of users, and how the rows of one are found; `$1` is the user. */
export interface ErasedTable {
  name: string;
  rows: string;
}

const ofUser = 'user_id = $1';

/** Everything that goes with a user, in this order. A table that names users and stands neither here nor below fails a test. */
export const erasedTables: readonly ErasedTable[] = [
  // First: whoever keeps what a provider told holds the row of the connection. With it go links, notices, runs and streams.
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
  // That it is gone is told, and nothing else of it any more.
  { name: 'deliveries', rows: `${ofUser} AND type <> 'user.deleted'` },
  { name: 'mails', rows: ofUser },
  { name: 'roster_invitations', rows: ofUser },
  { name: 'roster_members', rows: ofUser },
  // After all that can still bring an entry about: whoever writes one holds a row of a table above, or the user.
  { name: 'audit_texts', rows: 'person = $1' },
];

/** Tables that name a user and keep their rows, each with the reason. */
export const keptTables: Readonly<Record<string, string>> = {
  events: 'they keep their place, so that no reader misses one; what they told is emptied',
  feed: 'as events: they keep their place, what they told is emptied',
  erasures: 'the proof of what was erased: an opaque id, times and counts',
  audit_intake: 'what was done stays told; what was said about the person is in audit_texts',
  audit_log: 'as audit_intake: nothing of it is ever changed',
};
