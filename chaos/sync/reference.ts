import { progress } from '@tributary/rig';
import type { Moments } from './moments.ts';
import { catchUp } from './catch-up.ts';
import { moveClocks, untilConsolidated, untilRead } from './clocks.ts';
import { connect, createMember, nameOf, isPushOnly, type Consent, type Member, type World } from './world.ts';

/** Connects everyone again as new users and reads everything once, without faults. Replays the pushes of providers that only push, in order. */
export async function readAfresh(
  world: World,
  consents: readonly Consent[],
  moments: Moments,
): Promise<{ members: Member[]; unfinished: string[] }> {
  const workers = world.run.stack.nodes.filter(({ role }) => role === 'jobs');
  // Run a single worker, so that pushes are processed one after another.
  await Promise.all(workers.map((worker) => worker.stop()));
  const members = new Map<string, Member>();
  const pushed = new Set<string>();
  for (const consent of consents) {
    const { person } = consent.member;
    const member = members.get(person) ?? (await createMember(world, person));
    members.set(person, member);
    const { deviceId } = await connectAgain(world, member, consent.provider);
    await moments.retell(world, consent, member);
    if (!isPushOnly(consent.provider)) continue;
    pushed.add(consent.provider.id);
    await world.run.admin.query({
      text: 'UPDATE connections SET history_due_at = NULL WHERE device_id = $1',
      values: [deviceId],
    });
  }
  // The original users must not disturb the reading of the reference users.
  await world.run.admin.query({
    text: 'UPDATE connections SET due_at = NULL, history_due_at = NULL WHERE device_id = ANY ($1::uuid[])',
    values: [consents.map(({ deviceId }) => deviceId)],
  });
  await workers[0]!.start();
  for (const provider of pushed) {
    const pushes = world.pushes.of(provider);
    progress(`replaying ${pushes.length} pushes from ${provider}`);
    for (const { push } of pushes)
      await fetch(push.url, { method: push.method, headers: push.headers, body: push.body });
  }
  await untilRead(world);
  const unfinished = await catchUp(world);
  await untilConsolidated(world);
  await nameSleeps(world, consents, [...members.values()]);
  unfinished.push(...(await catchUp(world)));
  await untilConsolidated(world);
  return { members: [...members.values()], unfinished };
}

/** Waits when limits allow no more connections at once. */
async function connectAgain(world: World, member: Member, provider: Consent['provider']): Promise<Consent> {
  for (;;) {
    const consent = await connect(world, member, provider);
    if (consent) return consent;
    await moveClocks(world, world.lab.clock.now() + 15 * 60_000, { hasWorkers: false });
  }
}

/** Adds a notice for every sleep since the connection, as pushes did, because the provider returns some data only for named sleeps. */
async function nameSleeps(
  { run }: World,
  consents: readonly Consent[],
  members: readonly Member[],
): Promise<void> {
  await run.admin.query({
    text: `WITH named AS (
             INSERT INTO sync_notices (device_id, user_id, notice, received_at)
             SELECT d.id, d.user_id, jsonb_build_object('kind', 'document', 'stream', 'sleep_heart_rate', 'id', s.source_id), tributary_now()
             FROM devices d JOIN device_sleep s ON s.user_id = d.user_id AND s.device_no = d.device_no
             WHERE d.provider = 'whoop' AND d.user_id = ANY ($1::uuid[]) AND s.end_at >= (
               SELECT min(authorized_at) FROM connections WHERE device_id = ANY ($2::uuid[]))
             RETURNING device_id)
           UPDATE connections SET due_at = tributary_now() WHERE device_id IN (SELECT device_id FROM named)`,
    values: [members.map(({ userId }) => userId), consents.map(({ deviceId }) => deviceId)],
  });
}

/** Consents of users who kept all their consents. The others have nothing to compare with. */
export function comparable(consents: readonly Consent[], lost: ReadonlySet<string>): Consent[] {
  const broken = new Set(
    consents
      .filter((consent) => consent.isRevoked || lost.has(nameOf(consent)))
      .map(({ member }) => member.person),
  );
  return consents.filter(({ member }) => !broken.has(member.person));
}
