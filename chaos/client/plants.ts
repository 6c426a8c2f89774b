import type { Patch } from '@tributary/rig';
import type { Verdict } from '../stream/compare.ts';

/** A fault of the client that the comparison must detect. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** The count that detects it. */
  sign: keyof Verdict;
}

const file = 'packages/client/src/follow.ts';

export const plants: readonly Plant[] = [
  {
    name: 'no-progress',
    title: 'the client does not store the cursor of the stream',
    patches: [{ file, find: 'this.#cursor = id;', replace: '' }],
    sign: 'repeated',
  },
  {
    name: 'early-cursor',
    title: 'the cursor of an event within a page is the one after the page',
    patches: [{ file, find: 'cursor: isLast ?', replace: 'cursor: isLast || page.cursor ?' }],
    sign: 'missed',
  },
  {
    name: 'late-cursor',
    title: 'a page starts again after a restart in the middle of it',
    patches: [{ file, find: 'page.events.slice(done + 1)', replace: 'page.events' }],
    sign: 'repeated',
  },
  {
    name: 'no-feed',
    title: 'the client takes the position of the feed without its events',
    patches: [
      { file, find: 'page.events.slice(done + 1)', replace: 'page.events.slice(page.events.length)' },
    ],
    sign: 'missed',
  },
];
