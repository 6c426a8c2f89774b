import type { Patch } from '@tributary/rig';
import type { WebhooksResult } from './run.ts';

/** A fault that the comparison must detect. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** What the comparison must report, and how often. */
  sign: string;
  count: (result: WebhooksResult) => number;
}

const server = 'packages/server/src';

export const plants: readonly Plant[] = [
  {
    name: 'forgets',
    title: 'one event in a hundred gets a position but no delivery',
    patches: [
      {
        file: `${server}/store/events/feed.ts`,
        find: `AND w.status = 'active' AND (w.events[1]`,
        replace: `AND w.status = 'active' AND random() < 0.99 AND (w.events[1]`,
      },
    ],
    sign: 'lost',
    count: ({ deliveries }) => deliveries.lost,
  },
  {
    name: 'gives-up',
    title: 'a failed delivery is never retried',
    patches: [
      {
        file: `${server}/services/webhooks/deliveries/retry-schedule.ts`,
        find: 'const wait = waitsMs[tries - 1];',
        replace: 'const wait = waitsMs[tries + 99];',
      },
    ],
    sign: 'lost',
    count: ({ deliveries }) => deliveries.lost,
  },
  {
    name: 'unsettled',
    title: 'one success in twenty is not recorded',
    patches: [
      {
        file: `${server}/store/webhooks/deliveries.ts`,
        find: `FROM outcome o WHERE d.webhook_id = o.webhook_id`,
        replace: `FROM outcome o WHERE random() < 0.95 AND d.webhook_id = o.webhook_id`,
      },
    ],
    sign: 'repeated',
    count: ({ deliveries }) => deliveries.repeated,
  },
  {
    name: 'newest-first',
    title: 'the newest waiting delivery of an endpoint is sent first',
    patches: [
      {
        file: `${server}/delivery/endpoint-queue.ts`,
        find: 'this.#waiting.findIndex(',
        replace: 'this.#waiting.findLastIndex(',
      },
    ],
    sign: 'out of order',
    count: ({ outOfOrder }) => outOfOrder,
  },
  {
    name: 'unsigned-time',
    title: 'the timestamp is not signed',
    patches: [
      {
        file: `${server}/services/webhooks/deliveries/sign.ts`,
        find: '`${id}.${timestampSeconds}.${body}`',
        replace: '`${id}.${body}`',
      },
    ],
    sign: 'forged',
    count: ({ receivers }) => receivers.forged,
  },
];
