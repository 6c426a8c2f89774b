/** Every subject that the service speaks on. */
export const subjects = {
  /** A key, an account or a signing key changed: every node drops what it remembers of credentials. */
  credentialsChanged: 'tributary.credentials.changed',
  /** An api node says once a second that it lives; the payload is its id. */
  presence: 'tributary.presence.api',
  /** Batches were committed; the payload says in which partitions. */
  work: 'tributary.ingest.work',
  /** Events were given their places; the payload says in which feeds, and which webhooks they go to. */
  sequenced: 'tributary.events.sequenced',
  /** A chain of the audit log ends here; the name of the log and the account follow. */
  auditHead: 'tributary.audit.head',
} as const;
