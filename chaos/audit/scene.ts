import type { Random, RunStack } from '@tributary/rig';
import type { AuditParts } from './service.ts';
import type { World } from './world.ts';

/** Where somebody with all rights in the database is at work. */
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

/** Somewhere in a chain, neither the first nor the last. */
export async function somewhere({ admin, world, random }: Scene): Promise<Place> {
  const account = random.pick(world.accounts);
  const { rows } = await admin.query<{ last: number }>(
    'SELECT max(position)::int AS last FROM audit_log WHERE account_id = $1',
    [account],
  );
  const last = rows[0]!.last;
  return { account, position: random.int(2, last - 1), last };
}

/** Parameters have one type wherever they stand: an account, a position, another account. */
export function typed(sql: string): string {
  return sql.replaceAll('$1', '$1::uuid').replaceAll('$2', '$2::int8').replaceAll('$3', '$3::uuid');
}

/** A statement on an entry somewhere, `$1` and `$2`. */
export const onEntry = (name: string, sql: string): Tampering => ({
  name,
  async make(scene) {
    const { account, position } = await somewhere(scene);
    await scene.admin.query(typed(sql), [account, position]);
  },
});
