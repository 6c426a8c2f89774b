import type { Patch } from '@tributary/rig';

/** A fault in the service that the comparison must detect. */
interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
}

export const plants: readonly Plant[] = [];
