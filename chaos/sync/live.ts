import { progress } from '@tributary/rig';
import type { FaultSwitch } from '@tributary/lab';
import { providers } from '@tributary/providers';
import { catchUp, catchUpALittle, pollAgain } from './catch-up.ts';
import { moveClocks, timed, untilRead } from './clocks.ts';
import type { Kills } from './kills.ts';
import type { SyncOptions } from './options.ts';
import { isPushOnly, type Consent, type World } from './world.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The longest time in which a document can still change, plus the time until the next deep sync has read it. */
const quietDays = 9.5;
/** In every fourth step, one provider reports that its limits are exhausted. */
const stormEvery = 4;

/** How often connections delayed by limits may continue within a step. */
const extraMoves = 24;

const readable = providers.filter((provider) => !isPushOnly(provider));

const faults: readonly FaultSwitch[] = [
  { kind: 'error', rate: 0.05 },
  { kind: 'late', rate: 0.05 },
  { kind: 'revised', rate: 0.1 },
  ...readable.map(({ id }) => ({ kind: 'push_lost' as const, rate: 0.02, provider: id })),
];

/** Simulates days with faults, followed by quiet days. Returns when each period ended, and the connections that did not finish. */
export async function liveThrough(
  world: World,
  consents: readonly Consent[],
  kills: Kills,
  options: SyncOptions,
): Promise<{ faultsToMs: number; livedToMs: number; unfinished: string[] }> {
  const { lab, random } = world;
  for (const fault of faults) lab.faults.on(fault);
  const beganMs = lab.clock.now();
  const endMs = beganMs + options.days * dayMs;
  const revoking = random.fork('revoking');
  const leaving = revoking.shuffle(consents).slice(0, options.revocations);
  const storms = random.fork('storms');
  let steps = 0;
  while (lab.clock.now() < endMs) {
    const passed = (lab.clock.now() - beganMs) / (endMs - beganMs);
    const storm =
      steps % stormEvery === stormEvery - 1
        ? lab.faults.on({ kind: 'limited', rate: 0.5, provider: storms.pick(readable).id })
        : null;
    await moveClocks(world, lab.clock.now() + options.stepMs);
    while (kills.count < passed * options.kills) await timed('kills', () => kills.kill());
    const left = consents.filter(({ isRevoked }) => isRevoked).length;
    if (left < options.revocations && passed > (left + 0.5) / (options.revocations + 1))
      revoke(world, leaving[left]!);
    await untilRead(world);
    if (storm) lab.faults.off(storm.id);
    await catchUpALittle(world, extraMoves);
    steps += 1;
    if (steps % 10 === 0)
      progress(`${describe(world, beganMs)}; ${kills.count} killed, ${left} consents revoked`);
  }
  while (kills.count < options.kills) await kills.kill();
  await untilRead(world);
  lab.faults.off();
  const faultsToMs = lab.clock.now();
  progress(`${describe(world, beganMs)}: no more faults`);
  const quietMs = endMs + quietDays * dayMs;
  while (lab.clock.now() < quietMs) {
    await moveClocks(world, Math.min(lab.clock.now() + options.quietStepMs, quietMs));
    await untilRead(world);
    await catchUpALittle(world, extraMoves);
  }
  await kills.untilRunning();
  progress(`${describe(world, beganMs)}: waiting for data delayed by limits`);
  const unfinished = await catchUp(world);
  // In a sync run that limits cut short, some streams were last read days ago. A complete run follows, as it would on the next day.
  await moveClocks(world, lab.clock.now() + 21 * hourMs);
  await pollAgain(world);
  unfinished.push(...(await catchUp(world)));
  progress(`${describe(world, beganMs)}: done`);
  return { faultsToMs, livedToMs: quietMs, unfinished };
}

function revoke({ lab }: World, consent: Consent): void {
  const grant = lab
    .grants(consent.provider.id)
    .find(({ personId, revoked }) => personId === consent.member.person && !revoked);
  if (!grant || !lab.revoke(grant.id)) throw new Error('A consent ended before the user revoked it.');
  consent.isRevoked = true;
}

function describe({ lab }: World, beganMs: number): string {
  return `day ${((lab.clock.now() - beganMs) / dayMs).toFixed(1)}`;
}
