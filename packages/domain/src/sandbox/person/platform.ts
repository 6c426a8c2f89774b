import type { Archetype } from '@tributary/contract';

/** The operating system of a person's phone, which determines the watch and the health store. */
export type Platform = 'ios' | 'android';

const androidUsers: ReadonlySet<Archetype> = new Set(['shift_worker', 'older_adult']);

/** The platform of an archetype. */
export function platformOf(archetype: Archetype): Platform {
  return androidUsers.has(archetype) ? 'android' : 'ios';
}
