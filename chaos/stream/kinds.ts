import type { EventType } from '@tributary/contract';
import { formatId } from '@tributary/server/testing/ids';
import type { Random } from '@tributary/rig';

/** Which events a reader asks for. Type and user follow from the number of an event, so that anybody can tell who wants it. */
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

/** Half of the readers want everything. Some ask for what never happens: they only move on. */
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
