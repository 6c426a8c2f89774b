import { deviceOf, nameOf, type Consent, type World } from './world.ts';

export interface ConsentVerdict {
  /** Consents that ended although the user did not revoke them. */
  lost: string[];
  /** Consents that the user revoked, but that the service did not mark as expired. */
  unnoticed: string[];
  /** Revoked consents with a number of disconnect events other than 1. */
  misreported: string[];
  /** Active consents with a disconnect event. */
  slandered: string[];
}

/** Compares the state of each consent with what the user did. */
export async function checkConsents(world: World, consents: readonly Consent[]): Promise<ConsentVerdict> {
  const verdict: ConsentVerdict = { lost: [], unnoticed: [], misreported: [], slandered: [] };
  const disconnectCounts = await countDisconnected(world);
  for (const consent of consents) {
    const name = nameOf(consent);
    const { status, reason } = await deviceOf(world, consent.deviceId);
    const times = disconnectCounts.get(consent.deviceId) ?? 0;
    if (consent.isRevoked) {
      if (status !== 'expired') verdict.unnoticed.push(`${name} (${status}, ${reason})`);
      if (times !== 1) verdict.misreported.push(`${name} (${times} times)`);
    } else if (status === 'active') {
      if (times > 0) verdict.slandered.push(name);
    } else verdict.lost.push(`${name} (${status}, ${reason})`);
  }
  return verdict;
}

async function countDisconnected({ run }: World): Promise<Map<string, number>> {
  const { rows } = await run.admin.query<{ id: string; times: number }>(
    `SELECT device_id AS id, count(*) AS times FROM (
       SELECT device_id FROM events WHERE type = 'device.disconnected'
       UNION ALL SELECT device_id FROM feed WHERE type = 'device.disconnected') AS e GROUP BY device_id`,
  );
  return new Map(rows.map(({ id, times }) => [id, times]));
}
