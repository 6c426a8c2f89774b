/** One environment of one account, as a client knows it. */
export interface Tenant {
  key: string;
  /** Existing users, newest last. */
  users: string[];
  deleted: string[];
  userTokens: { token: string; userId: string }[];
  sessions: { id: string; userId: string }[];
  /** Client and mobile tokens that were not exchanged yet. */
  clientTokens: string[];
  refreshTokens: string[];
  accessTokens: string[];
  /** The token of a session that no request ends, so that uploads are always possible. */
  phoneToken: string;
  cursors: string[];
  references: string[];
  /** Uploads, each with the token that sent it. */
  batches: { id: string; token: string }[];
  devices: { id: string; userId: string }[];
  /** Devices that were connected through the API and therefore have sync runs. */
  connections: { id: string; userId: string }[];
  workouts: { id: string; userId: string }[];
  nights: { id: string; userId: string }[];
  /** Webhooks, each with the event of one of its deliveries. */
  webhooks: { id: string; eventId: string }[];
  invitations: string[];
  members: string[];
  /** For a sandbox, the live environment of the same account. */
  live: Tenant | null;
  feedCursor: string;
  /** Cursors of the first user's session lists, by operation. */
  sessionCursors: Record<string, string>;
}
