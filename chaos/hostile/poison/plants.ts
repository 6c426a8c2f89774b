import type { Plant } from '../scenario.ts';

const server = 'packages/server/src';

export const plants: readonly Plant[] = [
  {
    name: 'unbounded-work',
    title: 'a transaction takes uploads by their bytes, regardless of their work',
    patches: [
      {
        file: `${server}/ingest/work-budget.ts`,
        find: 'const mostWork = 4_000;',
        replace: 'const mostWork = Infinity;',
      },
      {
        file: `${server}/ingest/partition-worker.ts`,
        find: 'const workLimits = { cpuMs: 1_000, limitMs: 2_500 };',
        replace: 'const workLimits = {};',
      },
    ],
  },
  {
    name: 'uncounted-attempts',
    title: 'an attempt that loses its database session does not count',
    patches: [
      {
        file: `${server}/ingest/partition-worker.ts`,
        find: 'await noteLostSession(this.#ctx, begun);',
        replace: 'await noteLostSession(this.#ctx, []);',
      },
    ],
  },
  {
    name: 'unlimited-days',
    title: 'an upload may have any number of days',
    patches: [
      {
        file: `${server}/services/batches/accept-batch.ts`,
        find: 'if (days > batchLimits.days)',
        replace: 'if (days > Infinity)',
      },
    ],
  },
];
