import type { UserFilter } from '@tributary/contract';

/** What the address of the list says: a link shows a colleague the same rows. */
export interface UsersSearch {
  q?: string;
  filter?: UserFilter;
}

/** Of the filter in the address, what is one. */
export function filterOf(word: string | undefined): UserFilter | null {
  return word === 'not_syncing' || word === 'no_device' || word === 'deleting' ? word : null;
}
