import { parseId } from '../../ids.ts';
import { userNotFound } from '../../services/users/user-not-found.ts';

/** The UUID of a user ID in a path or body. A malformed ID counts as not found. */
export function userIdOf(id: string, code?: Parameters<typeof userNotFound>[1]): string {
  const uuid = parseId('user', id);
  if (!uuid) throw userNotFound(id, code);
  return uuid;
}
