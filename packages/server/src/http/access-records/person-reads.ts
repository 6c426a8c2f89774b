import type { OperationId } from '../frame/access.ts';

/** Whether a response is recorded as a read of users' data, and where the user is named. */
type PersonRead = Recorded | { unrecorded: string };

export interface Recorded {
  /** `path`: the parameter `id`. `query`: the filter `user_id`, if it is given. `response`: set by the route. `several`: no single user. */
  user: 'path' | 'query' | 'response' | 'several';
  operation: string;
}

const file = 'http/access-records/person-reads.ts';

type Classification = Recorded['user'] | { unrecorded: string };

const noUserData = { unrecorded: 'returns no data of a user' };
const change = {
  unrecorded: 'the audit log has the change, and the response only what the request contains',
};
const credential = { unrecorded: 'returns a credential; reads with it are recorded' };
const phone = { unrecorded: 'a phone about its own session and uploads' };

/** Every operation of the API. One that is missing here cannot be served. */
const operations: Record<OperationId, Classification> = {
  getHealth: noUserData,
  getReadiness: noUserData,
  getOpenapi: noUserData,
  getOpenapiForm1: noUserData,
  getOpenapiForm2: noUserData,
  getJwks: noUserData,
  createUser: change,
  listUsers: 'several',
  getUser: 'path',
  // Returns the whole user, even if the request changes nothing.
  updateUser: 'path',
  deleteUser: change,
  advanceSandboxUser: change,
  listEvents: 'query',
  streamEvents: 'query',
  listWebhooks: noUserData,
  createWebhook: noUserData,
  getWebhook: noUserData,
  updateWebhook: noUserData,
  deleteWebhook: noUserData,
  rotateWebhookSecret: noUserData,
  testWebhook: noUserData,
  recoverWebhook: noUserData,
  listDeliveries: 'several',
  getDelivery: 'response',
  resendDelivery: change,
  createRosterInvitation: change,
  listRosterInvitations: 'several',
  getRosterInvitation: 'several',
  deleteRosterInvitation: change,
  listRosterMembers: 'several',
  updateRosterMember: 'several',
  deleteRosterMember: change,
  // Entries contain text about users.
  listAudit: 'several',
  listAccessRecords: noUserData,
  listProviders: noUserData,
  connectDevice: change,
  getDeviceSync: 'path',
  listDevices: 'path',
  deleteDevice: change,
  listSleep: 'path',
  listWorkouts: 'path',
  getWorkout: 'path',
  listDaily: 'path',
  listScores: 'path',
  listScoreHistory: 'path',
  explainDaily: 'path',
  explainSleep: 'path',
  explainWorkout: 'path',
  explainScore: 'path',
  listTimeseries: 'path',
  createUserToken: credential,
  refreshUserToken: credential,
  createMobileToken: credential,
  createSdkSession: credential,
  listSdkSessions: 'path',
  deleteSdkSession: change,
  exchangeClientToken: phone,
  refreshSdkCredentials: phone,
  deleteCurrentSdkSession: phone,
  getConsolidationCatalog: noUserData,
  listMetrics: noUserData,
  getConsolidation: 'path',
  updateConsolidation: change,
  resetConsolidation: change,
  previewConsolidation: 'path',
  createBatch: phone,
  getBatch: phone,
};

/** Every route of the dashboard's own API, by method and path. Reads are recorded under the name of the public operation, if there is one. */
const dashboardRoutes: Record<string, PersonRead> = {
  'GET /users': { user: 'several', operation: 'listUsers' },
  'GET /users/:id/samples': { user: 'path', operation: 'getSamples' },
  'GET /events': { user: 'query', operation: 'listEvents' },
  'GET /events/:id': { user: 'response', operation: 'getEvent' },
  'GET /find': { unrecorded: 'returns only which page shows an ID' },
  'GET /overview': { unrecorded: 'returns counts' },
  'GET /webhooks': { unrecorded: 'returns counts' },
  'GET /session': noUserData,
  'GET /sessions': noUserData,
  'GET /team': noUserData,
  'GET /keys': noUserData,
  'GET /operators/names': noUserData,
  'GET /providers': noUserData,
  'GET /settings': noUserData,
  'POST /roster/invitations/:id/resend': change,
};

/** The classification of an operation; throws at startup when there is none. */
export function personReadOf(operationId: string): PersonRead {
  const classification = (operations as Record<string, Classification | undefined>)[operationId];
  if (classification === undefined) throw new Error(`${file} has no entry for ${operationId}`);
  return typeof classification === 'string'
    ? { user: classification, operation: operationId }
    : classification;
}

/** The same for a route of the dashboard. What changes an account, a dashboard user or a key returns no data of users. */
export function personReadOfDashboard(method: string, path: string): PersonRead {
  const isOfUsers = method === 'GET' || /\/(users|events|roster)\b/.test(path);
  const classification = dashboardRoutes[`${method} ${path}`] ?? (isOfUsers ? undefined : noUserData);
  if (classification === undefined) throw new Error(`${file} has no entry for ${method} ${path}`);
  return classification;
}
