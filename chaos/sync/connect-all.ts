import { forEachOf } from '@tributary/rig';
import { moveClocks, setServiceClock, untilRead, whileLabFollows } from './clocks.ts';
import {
  connect,
  createMember,
  introduceToLab,
  nameOf,
  planConsents,
  type Consent,
  type World,
} from './world.ts';

/** Number of attempts to connect everyone. */
const mostRounds = 8;

/** Connects everyone in the plan, and waits when a provider limits new connections. */
export async function connectAll(world: World, people: number): Promise<Consent[]> {
  await setServiceClock(world);
  introduceToLab(world);
  const plan = Map.groupBy(planConsents(world.lab, people), ({ person }) => person);
  const consents: Consent[] = [];
  let left: Pick<Consent, 'member' | 'provider'>[] = [];
  for (const [person, mine] of plan) {
    const member = await createMember(world, person);
    left.push(...mine.map(({ provider }) => ({ member, provider })));
  }
  for (let rounds = 0; left.length > 0 && rounds < mostRounds; rounds += 1) {
    const again: typeof left = [];
    const byPerson = [...Map.groupBy(left, ({ member }) => member).values()];
    // A user connects one provider after another: of two devices with the same rank, the first one wins.
    await whileLabFollows(world, () =>
      forEachOf(byPerson, 4, async (mine) => {
        for (const { member, provider } of mine) {
          const consent = await connect(world, member, provider);
          if (consent) consents.push(consent);
          else again.push({ member, provider });
        }
      }),
    );
    left = again;
    // The provider limits how many users connect at once.
    if (left.length > 0) await pass(world, 15 * 60_000);
  }
  if (left.length > 0) throw new Error(`not connected: ${left.map(nameOf).join(', ')}`);
  return consents;
}

async function pass(world: World, ms: number): Promise<void> {
  await untilRead(world);
  await moveClocks(world, world.lab.clock.now() + ms);
}
