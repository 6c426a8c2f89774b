import type { Patch } from '@tributary/rig';

const dayMs = 86_400_000;

/** The service would read years, which take the lab long to make up. */
export function readBackTo(fromMs: number): Patch {
  return {
    file: 'packages/server/src/services/connections/finish-connecting.ts',
    find: 'historyDays: provider.historyDays,',
    replace: `historyDays: Math.min(provider.historyDays, Math.ceil((ctx.clock.now() - ${fromMs}) / ${dayMs})),`,
  };
}

/** The lab's clock goes first, by a whole step: what it signs meanwhile would seem to come from the future. */
export const lateSignatures: readonly Patch[] = [
  {
    file: 'oura/push.ts',
    find: 'const longestSkewMs = 5 * 60_000;',
    replace: `const longestSkewMs = ${dayMs};`,
  },
  {
    file: 'whoop/push.ts',
    find: 'const toleranceMs = 5 * 60_000;',
    replace: `const toleranceMs = ${dayMs};`,
  },
  {
    file: 'strava/signature.ts',
    find: 'const toleranceMs = 300_000;',
    replace: `const toleranceMs = ${dayMs};`,
  },
].map(({ file, ...texts }) => ({ file: `packages/providers/src/${file}`, ...texts }));

/** What would be waited for on the clock on the wall, which this run does not move: turns in the limits wait for the next step instead. */
export const shortWaits: readonly Patch[] = [
  {
    file: 'services/providers/open-api.ts',
    // Who connects a person has no name of them yet, and waits as ever.
    find: "if (lane === 'history' || backMs > giveUpMs)",
    replace: "if (externalId !== '' || backMs > giveUpMs)",
  },
  {
    file: 'services/providers/open-api.ts',
    find: 'const retryPausesMs = [200, 1_000] as const;',
    replace: 'const retryPausesMs = [5, 20] as const;',
  },
  { file: 'jobs/run-sync.ts', find: 'const lookEveryMs = 250;', replace: 'const lookEveryMs = 100;' },
  { file: 'services/sync/sync-history.ts', find: 'const restShare = 4;', replace: 'const restShare = 0;' },
].map(({ file, ...texts }) => ({ file: `packages/server/src/${file}`, ...texts }));

/** Scores are not compared, and would be computed anew for everybody at each leap. */
export const noScores: Patch = {
  file: 'packages/server/src/jobs/run-jobs.ts',
  find: '  resources.use(workOnScores(own));\n',
  replace: '',
};
