import type { Patch } from '@tributary/rig';
import type { SyncResult } from './run.ts';

/** A fault that the proof must detect. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** What the proof must report, and how often. */
  sign: string;
  count: (result: SyncResult) => number;
}

const server = 'packages/server/src';
const differences = {
  sign: 'values that differ',
  count: (result: SyncResult) => result.differences.length,
};

export const plants: readonly Plant[] = [
  {
    name: 'lost-batch',
    title: 'one batch of documents in ten is not stored',
    patches: [
      {
        file: `${server}/store/connections/retained-documents.ts`,
        find: 'for (const { batchId, createdMs, digest, payload } of batches)',
        replace:
          'for (const { batchId, createdMs, digest, payload } of batches.filter(() => Math.random() > 0.1))',
      },
    ],
    ...differences,
  },
  {
    name: 'dropped-notice',
    title: 'one push in ten is dropped before it is processed',
    patches: [
      {
        file: `${server}/services/sync/process-push.ts`,
        find: 'for (const notice of inOrder) reached',
        replace: 'for (const notice of Math.random() < 0.1 ? [] : inOrder) reached',
      },
    ],
    ...differences,
  },
  {
    name: 'changed-value',
    title: 'one document in a hundred has its first number changed',
    patches: [
      {
        file: `${server}/services/sync/document-payload.ts`,
        find: 'const bytes = Buffer.from(JSON.stringify(payload));',
        replace: `const bytes = Buffer.from(JSON.stringify({ ...payload, documents: group.map((one) => Math.random() > 0.01 ? one
      : JSON.parse(JSON.stringify(one).replace(/:([1-9]\\d?)([,}])/, (_, number, end) => ':' + (Number(number) + 1) + end))) }));`,
      },
    ],
    ...differences,
  },
  {
    name: 'short-read',
    title: 'polls go back only an hour and miss late or changed documents whose push was lost',
    patches: [
      {
        file: `${server}/services/sync/read-streams.ts`,
        find: 'const days = isDeepDue ? Math.max(deepDays, stream.trailingDays) : stream.trailingDays;',
        replace: 'const days = 1 / 24;',
      },
    ],
    ...differences,
  },
  {
    name: 'counted-twice',
    title: 'one batch in four contains its workouts twice, once five hours later',
    patches: [
      {
        file: `${server}/services/sync/document-payload.ts`,
        find: 'stream.map(documents, batch);',
        replace: `stream.map(documents, batch);
  const later = (text: string) => new Date(Date.parse(text) + 18_000_000).toISOString();
  if (Math.random() < 0.25)
    for (const { heart_rate: _, ...one } of [...batch.lists.workouts])
      batch.lists.workouts.push({ ...one, id: one.id + '-2', start: later(one.start), end: later(one.end) });`,
      },
    ],
    ...differences,
  },
  {
    name: 'misread',
    title: 'every daily value is mapped a thousandth too high, in every read',
    patches: [
      {
        file: `${server}/services/sync/document-payload.ts`,
        find: 'stream.map(documents, batch);',
        replace: 'stream.map(documents, batch);\n  for (const one of batch.lists.daily) one.value *= 1.001;',
      },
    ],
    sign: "values that differ from the lab's true values",
    count: ({ truth }) => truth.differences.length,
  },
  {
    name: 'two-refreshes',
    title: 'every refresh is sent twice, as if two processes did not wait for each other',
    patches: [
      {
        file: `${server}/services/connections/renew-tokens.ts`,
        find: 'issued = await refresh(openAppApi(ctx, access), before);',
        replace: `[issued] = await Promise.all([refresh(openAppApi(ctx, access), before),
      refresh(openAppApi(ctx, access), before).catch(() => null)]);`,
      },
    ],
    sign: 'refresh tokens reused',
    count: ({ reuses }) => reuses,
  },
  {
    name: 'no-limits',
    title: 'history reads ignore the limits and send every call twenty times',
    patches: [
      {
        file: `${server}/services/providers/open-api.ts`,
        find: 'await reserveCall(ctx, options);',
        replace: `if (options.priority !== 'history') await reserveCall(ctx, options);
  const send = () => sendCall(ctx, provider, call, { bearer, ...(signal && { signal }) }).catch(() => null);
  if (options.priority === 'history') await Promise.all(Array.from({ length: 19 }, send));`,
      },
    ],
    sign: 'provider limits exceeded',
    count: ({ exceeded }) => exceeded.length,
  },
  {
    name: 'old-tokens',
    title: 'one refresh in four is not stored',
    patches: [
      {
        file: `${server}/services/connections/renew-tokens.ts`,
        find: 'await replaceTokens(tx, deviceId, seenVersion, sealTokens(ctx.keyring, deviceId, issued));',
        replace:
          'if (Math.random() > 0.25) await replaceTokens(tx, deviceId, seenVersion, sealTokens(ctx.keyring, deviceId, issued));',
      },
    ],
    sign: 'consents lost, or refresh tokens reused',
    count: ({ verdict, reuses }) => verdict.lost.length + reuses,
  },
  {
    name: 'never-expires',
    title: 'a device stays suspect after any number of refusals, and pushes that end a consent are ignored',
    patches: [
      {
        file: `${server}/services/sync/sync-connection.ts`,
        find: 'const mostRefusals = 3;',
        replace: 'const mostRefusals = 3_000;',
      },
      {
        file: `${server}/services/sync/process-push.ts`,
        find: 'if (whole) await expireConnection(ctx, tx, whole);',
        replace: 'if (!whole) await expireConnection(ctx, tx, whole!);',
      },
    ],
    sign: 'revoked consents not detected',
    count: ({ verdict }) => verdict.unnoticed.length,
  },
  {
    name: 'logged-token',
    title: 'a call is logged with its token',
    patches: [
      {
        file: `${server}/services/providers/open-api.ts`,
        find: 'options.onCall?.();',
        replace: 'options.onCall?.();\n  if (Math.random() < 0.05) console.log(JSON.stringify({ bearer }));',
      },
    ],
    sign: 'places with a readable secret',
    count: ({ leaks }) => leaks.length,
  },
];
