import type { Random, RunStack } from '@tributary/rig';
import type { AuditParts } from './service.ts';
import type { World } from './world.ts';

/** What a tampering has to work with, as a superuser. */
export interface Scene {
  admin: RunStack['admin'];
  parts: AuditParts;
  world: World;
  random: Random;
}

export interface Tampering {
  name: string;
  make: (scene: Scene) => Promise<void>;
}

export interface Place {
  account: string;
  position: number;
  last: number;
}

/** Picks an entry in a chain that is neither the first nor the last. */
export async function somewhere({ admin, world, random }: Scene): Promise<Place> {
  const account = random.pick(world.accounts);
  const { rows } = await admin.query<{ last: number }>(
    'SELECT max(position)::int AS last FROM audit_log WHERE account_id = $1',
    [account],
  );
  const last = rows[0]!.last;
  return { account, position: random.int(2, last - 1), last };
}

/** Casts each parameter to one type: an account, a position and another account. */
export function typed(sql: string): string {
  return sql.replaceAll('$1', '$1::uuid').replaceAll('$2', '$2::int8').replaceAll('$3', '$3::uuid');
}

/** A tampering by one statement on a random entry, with `$1` and `$2` as its account and position. */
export const onEntry = (name: string, sql: string): Tampering => ({
  name,
  async make(scene) {
    const { account, position } = await somewhere(scene);
    await scene.admin.query(typed(sql), [account, position]);
  },
});
