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
        find: 'isBusy = await workOnce(session, lane, signal);',
        replace: `const mixed = lane.mixed ??= [openLane(ctx, 'history'), openLane(ctx, 'live')];
      isBusy = (await workOnce(session, mixed[0]!, signal)) || (await workOnce(session, mixed[1]!, signal));`,
      },
      {
        file: `${server}/jobs/run-sync.ts`,
        find: 'interface SyncLane {',
        replace: 'interface SyncLane {\n  mixed?: SyncLane[];',
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
];
