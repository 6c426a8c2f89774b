import type { FeedTenant, Ledger, Random } from '@tributary/rig';
import { Reader } from './reader.ts';

/** Tenants with two readers. A tenant may make 100 requests a second, so the others have one reader that uses the full rate. */
const sharedTenants = 4;
const readersEach = 2;
const deathPart = 0.03;

/** Creates readers that die for the first tenants. The others get one reader that records when it saw each event. */
export function createReaders(
  node: string,
  tenants: readonly FeedTenant[],
  ledger: Ledger,
  random: Random,
): Reader[] {
  return tenants.flatMap(({ key }, tenant) => {
    const own = random.fork(`readers ${tenant}`);
    const shared = { node, key, tenant };
    if (tenant >= sharedTenants)
      return [
        new Reader({
          ...shared,
          restMs: 10.5,
          leastLimit: 1000,
          deathPart: 0,
          random: own,
          onEvent: (number) => ledger.see(number),
        }),
      ];
    return Array.from(
      { length: readersEach },
      (_, at) =>
        new Reader({
          ...shared,
          restMs: 30,
          leastLimit: 1,
          deathPart,
          random: own.fork(at),
          onEvent: () => {},
        }),
    );
  });
}
