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

const server = 'packages/server/src';

export const plants: readonly Plant[] = [
  {
    name: 'no-horizon',
    title: 'events are sequenced while earlier transactions still run',
    patches: [
      {
        file: `${server}/store/events/feed.ts`,
        find: ' AND xid < pg_snapshot_xmin(pg_current_snapshot())',
        replace: '',
      },
    ],
    sign: 'missed',
  },
  {
    name: 'no-order',
    title: 'events of a transaction get their positions in any order',
    patches: [
      {
        file: `${server}/store/events/feed.ts`,
        find: 'ORDER BY xid, id) AS place',
        replace: 'ORDER BY xid, md5(id::text)) AS place',
      },
    ],
    sign: 'outOfOrder',
  },
  {
    name: 'far-cursor',
    title: 'the cursor of a full page points to the end of the feed',
    patches: [
      {
        file: `${server}/services/events/scan-feed.ts`,
        find: 'isFull ? events.at(-1)!.position',
        replace: 'isFull ? head',
      },
    ],
    sign: 'missed',
  },
  {
    name: 'near-cursor',
    title: 'the cursor of a full page points before its last event',
    patches: [
      {
        file: `${server}/services/events/scan-feed.ts`,
        find: 'isFull ? events.at(-1)!.position',
        replace: 'isFull ? events.at(-1)!.position - 1',
      },
    ],
    sign: 'repeated',
  },
];
