import type { ConsolidationSettings } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import { devicesOf, profileHeight, type DeviceRow } from '../uploads/pending-batches.ts';
import type { Tenant } from '../database/tenant.ts';
import { activeInTenant, inUserScope, readUser, userRead, type ReadUser } from './read.ts';

/** A user's consolidation settings, and the providers they can refer to. */
export interface ConsolidationState extends ReadUser {
  settings: ConsolidationSettings;
  /** Connected providers, by name. */
  providers: string[];
}

// Sorted by bytes: the order must not depend on the locale of the database.
const connectedProviders = `(SELECT coalesce(array_agg(DISTINCT d.provider COLLATE "C" ORDER BY d.provider COLLATE "C"), '{}')
  FROM devices d WHERE d.user_id = u.id AND d.removed_at IS NULL AND d.status <> 'pending' AND ${inUserScope})`;

const state = `u.consolidation AS settings, ${connectedProviders} AS providers`;
const selectState = userRead('consolidation/state', state);
const selectStateWithDevices = userRead(
  'consolidation/state-with-devices',
  `${state}, ${profileHeight('u.profile')} AS "heightCm", (SELECT ${devicesOf('u.id')} WHERE ${inUserScope}) AS devices`,
);

/** What a preview starts from. */
interface PreviewedState extends ConsolidationState {
  heightCm: number | null;
  devices: DeviceRow[] | null;
}

/** The settings of a user, or null if this tenant has no such user. */
export function findConsolidation(
  db: Queryable,
  tenant: Tenant,
  userId: string,
): Promise<ConsolidationState | null> {
  return readUser<ConsolidationState>(db, tenant, selectState, userId, []);
}

/** The same with all devices and the height of the profile. Scopes the rest of the transaction to this user. */
export function findConsolidationWithDevices(
  tx: Queryable,
  tenant: Tenant,
  userId: string,
): Promise<PreviewedState | null> {
  return readUser<PreviewedState>(tx, tenant, selectStateWithDevices, userId, []);
}

/** Stores settings for a user whose row is locked. */
export async function updateConsolidation(
  tx: Queryable,
  tenant: Tenant,
  userId: string,
  settings: ConsolidationSettings,
): Promise<void> {
  await tx.query({
    name: 'consolidation/update',
    text: `UPDATE users u SET consolidation = $4 WHERE ${activeInTenant} AND u.id = $3`,
    values: [tenant.accountId, tenant.environment, userId, settings],
  });
}
