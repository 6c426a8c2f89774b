import { parseId } from '../ids.ts';
import { userNotFound } from '../services/users/user-not-found.ts';

/** The UUID of a user id in a path or body; what is no id at all is simply not found. */
export function userIdOf(id: string, code?: Parameters<typeof userNotFound>[1]): string {
  const uuid = parseId('user', id);
  if (!uuid) throw userNotFound(id, code);
  return uuid;
}
