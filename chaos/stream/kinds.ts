import type { EventType } from '@tributary/contract';
import { formatId } from '@tributary/server/testing/ids';
import type { Random } from '@tributary/rig';

/** The events a reader subscribes to. Type and user follow from an event's number, so it is always known which readers must get it. */
export interface Filter {
  types: readonly string[] | null;
  user: number | null;
}

const types = ['data.updated', 'score.updated', 'subject.synced'] as const;
const users = 7;

export function typeOf(number: number): EventType {
  return types[number % types.length]!;
}

export function userIdOf(number: number): string {
  return uuidOfUser(number % users);
}

export function wants({ types: wanted, user }: Filter, number: number): boolean {
  return (wanted === null || wanted.includes(typeOf(number))) && (user === null || user === number % users);
}

/** Half of the readers want everything. Some subscribe to a type that never occurs and only receive positions. */
export function chooseFilter(random: Random): Filter {
  if (random.chance(0.5)) return { types: null, user: null };
  if (random.chance(0.1)) return { types: ['user.deleted'], user: null };
  const byType = random.chance(0.6);
  return {
    types: byType ? [random.pick(types)] : null,
    user: !byType || random.chance(0.2) ? random.int(0, users - 1) : null,
  };
}

export function queryOf({ types: wanted, user }: Filter): URLSearchParams {
  const query = new URLSearchParams();
  if (wanted) query.set('type', wanted.join(','));
  if (user !== null) query.set('user_id', formatId('user', uuidOfUser(user)));
  return query;
}

function uuidOfUser(user: number): string {
  return `01900000-0000-7000-8000-00000000000${user}`;
}
