import type { Verdict } from './check/check.ts';
import type { Difference } from './check/differences.ts';
import type { Patch } from '@tributary/rig';

/** A fault in the service that the check must detect, and the sign by which it does. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** What the check must report for the fault to count as detected. */
  sign: string;
  shows: (verdict: Verdict) => boolean;
}

const server = 'packages/server/src';

/** Detected by these differences, once no pending batch could explain them. */
const has = (...wanted: `${Difference['what']} ${Difference['wrong']}`[]) => ({
  sign: wanted.join(' or '),
  shows: ({ pending, differences }: Verdict) =>
    pending === 0 && differences.some(({ what, wrong }) => wanted.includes(`${what} ${wrong}`)),
});

export const plants: readonly Plant[] = [
  {
    name: 'early-ack',
    title: 'uploads are acknowledged before the commit',
    patches: [
      {
        file: `${server}/services/batches/upload-queue.ts`,
        find: `    return promise;`,
        replace: `    promise.catch(() => {});\n    return Promise.resolve(true);`,
      },
    ],
    ...has('batch lost'),
  },
  {
    name: 'no-sweeper',
    title: 'workers process batches only when they receive a pointer',
    patches: [
      {
        file: `${server}/ingest/partition-worker.ts`,
        find: `          polledAt = performance.now();\n          this.#awake = true;`,
        replace: `          polledAt = performance.now();`,
      },
      {
        file: `${server}/ingest/partition-worker.ts`,
        find: `\n  #awake = true;`,
        replace: `\n  #awake = false;`,
      },
    ],
    sign: 'batches that stay pending',
    shows: ({ pending }) => pending > 0,
  },
  {
    name: 'increment',
    title: 'a changed chunk adds to its part of the day instead of replacing it',
    patches: [
      {
        file: 'packages/domain/src/day/device-day.ts',
        find: `if (parts) parts.set(chunk, part);`,
        replace: `if (parts) parts.set(chunk, parts.has(chunk) ? addPartials([parts.get(chunk)!, part]) : part);`,
      },
    ],
    ...has('day twice'),
  },
  {
    name: 'no-lock',
    title: 'no locks: workers take different batches of the same users at once',
    patches: [
      {
        file: `${server}/store/uploads/partition-locks.ts`,
        find: 'pg_try_advisory_lock(${this.#classes.partition}, $1)',
        replace: '$1 >= ${0}',
      },
      {
        file: `${server}/store/uploads/partition-locks.ts`,
        find: 'Math.ceil(partitionCount / Math.max(1, workerCount))',
        replace: 'workerCount > 0 ? partitionCount : 0',
      },
      {
        file: `${server}/store/database/migrations/0003-layers.sql`,
        find: `SELECT pg_try_advisory_xact_lock(1953654124, hashtext(user_id::text))`,
        replace: `SELECT true`,
      },
      // Without this patch, all workers take the same batches, and the last writer seldom has older data than the previous one.
      {
        file: `${server}/store/uploads/pending-batches.ts`,
        find: 'ORDER BY rank LIMIT $2',
        replace: 'ORDER BY md5(position::text || pg_backend_pid()) LIMIT least($2, 30)',
      },
    ],
    ...has('sample lost', 'sample wrong', 'day lost', 'day wrong'),
  },
  {
    name: 'no-dedupe',
    title: 'a repeated upload is accepted as a new one',
    patches: [
      {
        file: `${server}/services/batches/accept-batch.ts`,
        find: `const isInserted = await ctx.uploads.commit({`,
        replace: `const upload = {`,
      },
      {
        file: `${server}/services/batches/accept-batch.ts`,
        find: `  });\n  if (isInserted) return ctx.dailyUsage.add(caller.tenant, values);`,
        replace: `  };
  if (await ctx.uploads.commit(upload)) return;
  if (await ctx.uploads.commit({ ...upload, batchId: crypto.randomUUID() })) return;`,
      },
    ],
    ...has('batch phantom'),
  },
];
