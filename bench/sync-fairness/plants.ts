import type { Patch } from '@tributary/rig';

const server = 'packages/server/src';

/** What is taken from the service to see that the measurement notices. */
export const plants: Readonly<Record<string, { title: string; patches: readonly Patch[] }>> = {
  'one-lane': {
    title:
      'history has no lane: every worker takes what has been due for longest, its batches stand in line with all others, and no calls are left for the news',
    patches: [
      {
        file: `${server}/jobs/run-sync.ts`,
        find: 'isBusy = await workOnce(ctx, session, lane, signal);',
        replace: `isBusy = (await workOnce(ctx, session, 'history', signal)) || (await workOnce(ctx, session, 'live', signal));`,
      },
      {
        file: `${server}/jobs/run-sync.ts`,
        find: 'const mostPending = 32;',
        replace: 'const mostPending = 300;',
      },
      {
        file: `${server}/services/providers/limit-steps.ts`,
        find: 'live: 1, history: 0.5 }',
        replace: 'live: 1, history: 1 }',
      },
      {
        file: `${server}/services/sync/sync-history.ts`,
        find: 'const restShare = 4;',
        replace: 'const restShare = 0;',
      },
      {
        file: `${server}/store/kept-documents.ts`,
        find: `lane === 'history' ? historyPlace : 0`,
        replace: `lane === 'history' ? 0 : 0`,
      },
      {
        file: `${server}/services/sync/keep-documents.ts`,
        find: 'packed.length > 0 && !kept.isHistory',
        replace: 'packed.length > 0',
      },
    ],
  },
};
