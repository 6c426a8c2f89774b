import type { Patch } from '@tributary/rig';

/** A fault that the measurement must detect. */
interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
}

const server = 'packages/server/src';

export const plants: readonly Plant[] = [
  {
    name: 'one-queue',
    title: 'history has no separate workers, queue or share of the limits, and never rests',
    patches: [
      {
        file: `${server}/jobs/run-sync.ts`,
        find: 'isBusy = await workOnce(session, priority, signal);',
        replace: `const mixed = priority.mixed ??= [openPriority(ctx, 'history'), openPriority(ctx, 'live')];
      isBusy = (await workOnce(session, mixed[0]!, signal)) || (await workOnce(session, mixed[1]!, signal));`,
      },
      {
        file: `${server}/jobs/run-sync.ts`,
        find: 'interface SyncPriority {',
        replace: 'interface SyncPriority {\n  mixed?: SyncPriority[];',
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
        file: `${server}/config.ts`,
        find: 'historyRestShare: 4,',
        replace: 'historyRestShare: 0,',
      },
      {
        file: `${server}/store/connections/retained-documents.ts`,
        find: 'positionOffset[priority]',
        replace: 'positionOffset.live',
      },
      {
        file: `${server}/services/sync/store-documents.ts`,
        find: 'packed.length > 0 && !changes.isHistory',
        replace: 'packed.length > 0',
      },
    ],
  },
];
