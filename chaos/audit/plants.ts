import type { Patch } from '@tributary/rig';

/** A fault that one of the two proofs must detect. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** The result that detects it, which also selects the proof. */
  sign: 'missed' | 'missing' | 'outOfOrder' | 'falseAlarms';
}

const server = 'packages/server/src';

export const plants: readonly Plant[] = [
  {
    name: 'any-signature',
    title: 'a head with any signature is accepted',
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
    title: 'anchors are not compared',
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
    title: 'the hash of an entry does not cover the request id',
    patches: [
      { file: `${server}/services/audit/hash-entry.ts`, find: '    entry.requestId,\n', replace: '' },
    ],
    sign: 'missed',
  },
  {
    name: 'no-chain',
    title: 'the hash of an entry does not cover the previous one',
    patches: [{ file: `${server}/services/audit/hash-entry.ts`, find: '.update(previous)', replace: '' }],
    sign: 'missed',
  },
  {
    name: 'loose-texts',
    title: 'texts are not compared with the hashes in their entries',
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
    title: 'texts of erased people count as missing',
    patches: [
      {
        file: `${server}/services/audit/check-chain.ts`,
        find: 'if (forgotten) this.#withoutText.delete(forgotten);',
        replace: 'if (!forgotten) this.#withoutText.clear();',
      },
    ],
    sign: 'falseAlarms',
  },
  {
    name: 'taken-first',
    title:
      'entries are removed from the intake in a separate transaction, before they are written to the log',
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
        file: `${server}/store/audit/chain.ts`,
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
        file: `${server}/store/audit/chain.ts`,
        find: 'ORDER BY e.xid, e.id LIMIT $2',
        replace: 'ORDER BY md5(e.id::text) LIMIT $2',
      },
    ],
    sign: 'outOfOrder',
  },
];
