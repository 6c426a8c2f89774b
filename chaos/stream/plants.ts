import type { Patch } from '@tributary/rig';
import type { Verdict } from './compare.ts';

/** A fault that the comparison must detect. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** The count that detects it. */
  sign: keyof Verdict;
}

const events = 'packages/server/src/services/events';

export const plants: readonly Plant[] = [
  {
    name: 'near-id',
    title: 'the id of a message is the position before its event',
    patches: [
      {
        file: `${events}/live-feed.ts`,
        find: 'sealEventsCursor(this.#ctx, this.tenant, position)',
        replace: 'sealEventsCursor(this.#ctx, this.tenant, position - 1)',
      },
    ],
    sign: 'repeated',
  },
  {
    name: 'far-id',
    title: 'the id of a message is the position of the next event',
    patches: [
      {
        file: `${events}/live-feed.ts`,
        find: 'sealEventsCursor(this.#ctx, this.tenant, position)',
        replace: 'sealEventsCursor(this.#ctx, this.tenant, position + 1)',
      },
    ],
    sign: 'missed',
  },
  {
    name: 'no-history',
    title: 'a reader that is behind skips to the position of the others',
    patches: [
      {
        file: `${events}/live-feed.ts`,
        find: '(await this.#readFor(reader))',
        replace: '{ after: reader.place, upTo: this.#place, messages: [] }',
      },
    ],
    sign: 'missed',
  },
  {
    name: 'no-filter',
    title: 'live events go to every reader of the tenant',
    patches: [
      {
        file: `${events}/feed-reader.ts`,
        find: ' || !this.#wants(message)',
        replace: '',
      },
    ],
    sign: 'foreign',
  },
];
