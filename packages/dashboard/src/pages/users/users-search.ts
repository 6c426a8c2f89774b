import type { UserFilter } from '@tributary/contract';

/** Search parameters of the list, so that a shared link shows the same rows. */
export interface UsersSearch {
  q?: string;
  filter?: UserFilter;
}

/** Returns the filter in the URL if it is valid. */
export function filterOf(word: string | undefined): UserFilter | null {
  return word === 'not_syncing' || word === 'no_device' || word === 'deleting' ? word : null;
}
