import type { Patch } from '@tributary/rig';

/** A fault that one of the two proofs has to find. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** Which proof, and by what. */
  sign: 'missed' | 'missing' | 'outOfOrder' | 'falseAlarms';
}

const server = 'packages/server/src';

export const plants: readonly Plant[] = [
  {
    name: 'any-signature',
    title: 'whoever signed a head, it counts',
    patches: [
      {
        file: `${server}/services/audit/verify-chain.ts`,
        find: 'if (!isSignedByUs(keyring, head)) problems.add(',
        replace: 'if (head.position < 0) problems.add(',
      },
    ],
    sign: 'missed',
  },
  {
    name: 'no-anchors',
    title: 'what was anchored is not compared',
    patches: [
      {
        file: `${server}/services/audit/verify-chain.ts`,
        find: 'expect(anchor.accountId, { position, hash,',
        replace: 'if (position < 0) expect(anchor.accountId, { position, hash,',
      },
    ],
    sign: 'missed',
  },
  {
    name: 'half-hashed',
    title: 'the hash of an entry leaves out by which request it came',
    patches: [
      { file: `${server}/services/audit/hash-entry.ts`, find: '    entry.requestId,\n', replace: '' },
    ],
    sign: 'missed',
  },
  {
    name: 'no-chain',
    title: 'the hash of an entry does not cover the one before',
    patches: [{ file: `${server}/services/audit/hash-entry.ts`, find: '.update(previous)', replace: '' }],
    sign: 'missed',
  },
  {
    name: 'loose-texts',
    title: 'texts are not compared with what entries say of them',
    patches: [
      {
        file: `${server}/services/audit/check-chain.ts`,
        find: "hashText(text.salt, text.content).toString('hex') === textHash &&",
        replace: 'hashText(text.salt, text.content).length > 0 &&',
      },
    ],
    sign: 'missed',
  },
  {
    name: 'no-forgetting',
    title: 'texts of people who were forgotten are taken for missing',
    patches: [
      {
        file: `${server}/services/audit/check-chain.ts`,
        find: 'if (forgotten) this.#textless.delete(forgotten);',
        replace: 'if (!forgotten) this.#textless.clear();',
      },
    ],
    sign: 'falseAlarms',
  },
  {
    name: 'taken-first',
    title:
      'entries are taken from the intake in a transaction of its own, before they are written to the log',
    patches: [
      {
        file: `${server}/services/audit/chain-entries.ts`,
        find: 'const heads = await transact(session, async (tx) => {',
        replace: `await session.query('CREATE TEMP TABLE IF NOT EXISTS taken_first (LIKE audit_intake)');
  await session.query({
    text: 'WITH taken AS (DELETE FROM audit_intake WHERE id = ANY ($1::uuid[]) RETURNING *) INSERT INTO taken_first SELECT * FROM taken',
    values: [entries.map(({ id }) => id)],
  });
  const heads = await transact(session, async (tx) => {`,
      },
      {
        file: `${server}/store/audit-chain.ts`,
        find: 'DELETE FROM audit_intake i USING',
        replace: 'DELETE FROM taken_first i USING',
      },
    ],
    sign: 'missing',
  },
  {
    name: 'no-order',
    title: 'entries are chained in any order',
    patches: [
      {
        file: `${server}/store/audit-chain.ts`,
        find: 'ORDER BY e.xid, e.id LIMIT $2',
        replace: 'ORDER BY md5(e.id::text) LIMIT $2',
      },
    ],
    sign: 'outOfOrder',
  },
];
