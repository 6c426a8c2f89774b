import type { operations } from '@tributary/contract';

/** Who may call an operation. */
export interface Access {
  /**
   * No credential is required. With `limited`, every request counts against the limit of its address: for operations that issue credentials
   * without requiring one.
   */
  open?: 'unlimited' | 'limited';
  /** An API key, for any user of its environment. */
  apiKey?: true;
  /** A user token, for its own user: the path parameter `id` names the user. */
  ownUser?: true;
  /** The access token of an SDK session, and nothing else. */
  sdk?: true;
  /** Only an API key of the live environment. */
  live?: true;
  /** Also served while the account is suspended: deletion, so that it can still erase its users' data, and sessions of phones. */
  evenSuspended?: true;
  /** Returns measured values of a user. */
  measured?: true;
  /** Changes nothing, although it is not a GET. */
  read?: true;
}

const open: Access = { open: 'unlimited' };
const apiKey: Access = { apiKey: true };
const liveApiKey: Access = { apiKey: true, live: true };
const apiKeyOrOwnUser: Access = { apiKey: true, ownUser: true };
const measured: Access = { apiKey: true, measured: true };
const measuredOrOwnUser: Access = { apiKey: true, ownUser: true, measured: true };
const apiKeyEvenSuspended: Access = { apiKey: true, evenSuspended: true };
const byAddress: Access = { open: 'limited' };
const sdk: Access = { sdk: true };

export type OperationId = {
  [Key in keyof typeof operations]: (typeof operations)[Key] extends { operationId: infer Id } ? Id : never;
}[keyof typeof operations];

/** The complete access table. An operation that is missing here cannot be served. */
export const access: Record<OperationId, Access> = {
  getHealth: open,
  getReadiness: open,
  getOpenapi: open,
  getOpenapiForm1: open,
  getOpenapiForm2: open,
  getJwks: open,
  createUser: apiKey,
  listUsers: apiKey,
  getUser: apiKey,
  updateUser: apiKey,
  deleteUser: apiKeyEvenSuspended,
  advanceSandboxUser: apiKey,
  listEvents: apiKey,
  streamEvents: apiKey,
  listWebhooks: apiKey,
  createWebhook: apiKey,
  getWebhook: apiKey,
  updateWebhook: apiKey,
  deleteWebhook: apiKeyEvenSuspended,
  rotateWebhookSecret: apiKey,
  testWebhook: apiKey,
  recoverWebhook: apiKey,
  listDeliveries: apiKey,
  getDelivery: apiKey,
  resendDelivery: apiKey,
  createRosterInvitation: liveApiKey,
  listRosterInvitations: apiKey,
  getRosterInvitation: apiKey,
  deleteRosterInvitation: apiKeyEvenSuspended,
  listRosterMembers: apiKey,
  updateRosterMember: liveApiKey,
  deleteRosterMember: { ...liveApiKey, evenSuspended: true },
  listAudit: apiKey,
  listAccessRecords: apiKey,
  listProviders: apiKey,
  connectDevice: apiKey,
  getDeviceSync: apiKey,
  listDevices: apiKeyOrOwnUser,
  deleteDevice: apiKeyEvenSuspended,
  listSleep: measuredOrOwnUser,
  listWorkouts: measuredOrOwnUser,
  getWorkout: measuredOrOwnUser,
  listDaily: measuredOrOwnUser,
  listScores: measuredOrOwnUser,
  listScoreHistory: measuredOrOwnUser,
  explainDaily: measured,
  explainSleep: measured,
  explainWorkout: measured,
  explainScore: measured,
  listTimeseries: measuredOrOwnUser,
  createUserToken: apiKey,
  refreshUserToken: apiKey,
  createMobileToken: apiKey,
  createSdkSession: apiKeyEvenSuspended,
  listSdkSessions: apiKeyEvenSuspended,
  deleteSdkSession: apiKeyEvenSuspended,
  exchangeClientToken: byAddress,
  refreshSdkCredentials: byAddress,
  deleteCurrentSdkSession: sdk,
  getConsolidationCatalog: apiKey,
  listMetrics: apiKey,
  getConsolidation: apiKey,
  updateConsolidation: apiKey,
  resetConsolidation: apiKeyEvenSuspended,
  previewConsolidation: { ...measured, read: true },
  createBatch: sdk,
  getBatch: sdk,
};

/** The access rule of an operation; throws at startup when the table has none. */
export function accessOf(operationId: string): Access {
  const rule = (access as Record<string, Access | undefined>)[operationId];
  if (!rule) throw new Error(`http/frame/access.ts has no entry for ${operationId}`);
  return rule;
}
