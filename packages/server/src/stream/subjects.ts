/** Every subject that the service uses. */
export const subjects = {
  /** A key, an account or a signing key changed: every node clears its credential cache. */
  credentialsChanged: 'tributary.credentials.changed',
  /** An API node publishes its id once per second. */
  presence: 'tributary.presence.api',
  /** Batches were committed; the payload names the partitions. */
  work: 'tributary.ingest.work',
  /** Events were sequenced; the payload names the feeds and webhooks. */
  sequenced: 'tributary.events.sequenced',
  /** Refreshes of provider tokens were requested. */
  renewalsWanted: 'tributary.renewals.wanted',
  /** The end of an audit chain; the name of the log and the account follow. */
  auditHead: 'tributary.audit.head',
} as const;
