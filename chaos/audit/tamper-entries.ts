import { type AuditEntry, entryColumns } from '@tributary/server/testing/audit';
import { onEntry, somewhere, typed, type Place, type Scene, type Tampering } from './scene.ts';

/** Recomputes the hashes from a position on, as the service would. */
async function rehash(
  { admin, parts }: Scene,
  account: string,
  from: number,
  to = Infinity,
): Promise<Buffer> {
  const { rows } = await admin.query<AuditEntry & { position: number; hash: Buffer }>(
    `SELECT e.position, e.hash, ${entryColumns} FROM audit_log e WHERE account_id = $1 ORDER BY position`,
    [account],
  );
  let hash = parts.beforeFirst;
  for (const row of rows) {
    hash = row.position < from || row.position > to ? row.hash : parts.hashEntry(hash, row.position, row);
    if (!hash.equals(row.hash))
      await admin.query('UPDATE audit_log SET hash = $3 WHERE account_id = $1 AND position = $2', [
        account,
        row.position,
        hash,
      ]);
  }
  return hash;
}

const changes: Record<string, string> = {
  environment: `CASE environment WHEN 'live' THEN 'sandbox' WHEN 'sandbox' THEN NULL ELSE 'live' END`,
  at: `at + interval '1 hour'`,
  'at by a microsecond': `at + interval '1 microsecond'`,
  actor_type: `actor_type || 'x'`,
  actor_id: `actor_id || 'x'`,
  action: `CASE action WHEN 'user.updated' THEN 'user.created' ELSE 'user.updated' END`,
  target_type: `target_type || 'x'`,
  target_id: `target_id || 'x'`,
  address: `CASE WHEN address IS NULL THEN '203.0.113.250' END`,
  request_id: `coalesce(request_id, '') || 'x'`,
  data: `'{"fields":[]}'`,
  'data by a space': `(data::text || ' ')::json`,
  person: 'gen_random_uuid()',
  text_hash: `sha256('x')`,
  id: 'gen_random_uuid()',
  hash: `sha256('x')`,
};

const edits = Object.entries(changes).map(([title, value]) =>
  onEntry(
    `edit ${title}`,
    `UPDATE audit_log SET ${title.split(' ')[0]} = ${value} WHERE account_id = $1 AND position = $2`,
  ),
);

const copied = `environment, at, actor_type, actor_id, action, target_type, target_id, address, request_id, data, person, text_hash`;
const copyTo = (account: string, position: string, from: string) =>
  `INSERT INTO audit_log (account_id, position, id, ${copied}, hash)
   SELECT ${account}, ${position}, gen_random_uuid(), ${copied.replace('person, text_hash', 'NULL, NULL')}, hash FROM audit_log WHERE ${from}`;

const removals: Tampering[] = [
  onEntry('remove one', 'DELETE FROM audit_log WHERE account_id = $1 AND position = $2'),
  onEntry('remove the first', 'DELETE FROM audit_log WHERE account_id = $1 AND position = 1 AND $2 > 0'),
  onEntry(
    'remove the last',
    'DELETE FROM audit_log WHERE account_id = $1 AND $2 > 0 AND position = (SELECT position FROM audit_heads WHERE account_id = $1)',
  ),
  onEntry('remove a range', 'DELETE FROM audit_log WHERE account_id = $1 AND position BETWEEN $2 AND $2 + 5'),
  onEntry('remove the rest', 'DELETE FROM audit_log WHERE account_id = $1 AND position >= $2'),
  onEntry('remove all entries', 'DELETE FROM audit_log WHERE account_id = $1 AND $2 > 0'),
  {
    name: 'remove everything',
    async make(scene) {
      const { account } = await somewhere(scene);
      for (const table of ['audit_log', 'audit_heads', 'audit_texts'])
        await scene.admin.query(`DELETE FROM ${table} WHERE account_id = $1`, [account]);
    },
  },
  {
    name: 'remove one, close the gap and recompute all hashes',
    async make(scene) {
      const { account, position } = await somewhere(scene);
      await scene.admin.query('DELETE FROM audit_log WHERE account_id = $1 AND position = $2', [
        account,
        position,
      ]);
      await scene.admin.query(
        'UPDATE audit_log SET position = position - 1 WHERE account_id = $1 AND position > $2',
        [account, position],
      );
      await rehash(scene, account, position);
    },
  },
];

const insertions: Tampering[] = [
  onEntry(
    'insert at the end',
    copyTo(
      '$1',
      '(SELECT position + 1 FROM audit_heads WHERE account_id = $1)',
      'account_id = $1 AND position = $2',
    ),
  ),
  {
    name: 'insert at the end with the right hash',
    async make(scene) {
      const { account, position, last } = await somewhere(scene);
      await scene.admin.query(typed(copyTo('$1', `${last} + 1`, 'account_id = $1 AND position = $2')), [
        account,
        position,
      ]);
      await rehash(scene, account, last + 1);
    },
  },
  {
    name: 'insert in the middle and recompute all hashes',
    async make(scene) {
      const { account, position } = await somewhere(scene);
      await scene.admin.query(
        'UPDATE audit_log SET position = position + 1 WHERE account_id = $1 AND position >= $2',
        [account, position],
      );
      await scene.admin.query(typed(copyTo('$1', '$2', 'account_id = $1 AND position = $2 + 1')), [
        account,
        position,
      ]);
      await rehash(scene, account, position);
    },
  },
  onEntry('insert at an occupied position', copyTo('$1', '$2', 'account_id = $1 AND position = $2 - 1')),
  onEntry('insert before the first', copyTo('$1', '0', 'account_id = $1 AND position = $2')),
];

const orders: Tampering[] = [
  onEntry(
    'swap two neighbors',
    'UPDATE audit_log SET position = 2 * $2 + 1 - position WHERE account_id = $1 AND position IN ($2, $2 + 1)',
  ),
  onEntry(
    'reverse a range',
    'UPDATE audit_log SET position = 2 * $2 + 4 - position WHERE account_id = $1 AND position BETWEEN $2 AND $2 + 4',
  ),
  onEntry(
    'shift the rest',
    'UPDATE audit_log SET position = position + 1 WHERE account_id = $1 AND position >= $2',
  ),
  onEntry(
    'move one to another position',
    'UPDATE audit_log SET position = position + 1000 WHERE account_id = $1 AND position = $2',
  ),
  {
    name: 'swap two and recompute all hashes',
    async make(scene) {
      const { account, position } = await somewhere(scene);
      await scene.admin.query(
        typed(
          'UPDATE audit_log SET position = 2 * $2 + 1 - position WHERE account_id = $1 AND position IN ($2, $2 + 1)',
        ),
        [account, position],
      );
      await rehash(scene, account, position);
    },
  },
];

const rewriting = (name: string, to: (place: Place) => number, fixHead: boolean): Tampering => ({
  name,
  async make(scene) {
    const place = await somewhere(scene);
    const { account, position } = place;
    await scene.admin.query(
      `UPDATE audit_log SET actor_id = 'key_9' WHERE account_id = $1 AND position = $2`,
      [account, position],
    );
    const hash = await rehash(scene, account, position, to(place));
    if (fixHead)
      await scene.admin.query('UPDATE audit_heads SET hash = $2 WHERE account_id = $1', [account, hash]);
  },
});

const rewrites: Tampering[] = [
  rewriting('edit one with its hash', ({ position }) => position, false),
  rewriting('edit one and recompute all hashes', () => Infinity, false),
  rewriting('edit one, recompute all hashes and change the head', () => Infinity, true),
  {
    name: 'roll back to an older signed head',
    async make(scene) {
      const { account, last } = await somewhere(scene);
      const older = scene.world.oldHeads.filter(
        (head) => head.account_id === account && head.position < last,
      );
      const head = scene.random.pick(older);
      await scene.admin.query(
        'DELETE FROM audit_texts USING audit_log l WHERE l.id = entry_id AND l.account_id = $1 AND l.position > $2',
        [account, head.position],
      );
      await scene.admin.query('DELETE FROM audit_log WHERE account_id = $1 AND position > $2', [
        account,
        head.position,
      ]);
      await scene.admin.query(
        'UPDATE audit_heads SET position = $2, hash = $3, signature = $4 WHERE account_id = $1',
        [account, head.position, head.hash, head.signature],
      );
    },
  },
];

const between = (name: string, sql: string): Tampering => ({
  name,
  async make(scene) {
    const { account, position } = await somewhere(scene);
    const other = scene.world.accounts.find((one) => one !== account)!;
    await scene.admin.query(typed(sql), [account, position, other]);
  },
});

const afterLast = '(SELECT max(position) + 1 FROM audit_log WHERE account_id = $3)';
const betweenAccounts: Tampering[] = [
  between('copy an entry to another account', copyTo('$3', afterLast, 'account_id = $1 AND position = $2')),
  between(
    'move an entry to another account',
    `UPDATE audit_log SET account_id = $3, position = ${afterLast} WHERE account_id = $1 AND position = $2`,
  ),
  between(
    'replace an entry of another account',
    `WITH gone AS (DELETE FROM audit_log WHERE account_id = $3 AND position = least($2, 5))
     UPDATE audit_log SET account_id = $3, position = least($2, 5) WHERE account_id = $1 AND position = $2`,
  ),
  between(
    'copy the head of another account',
    `UPDATE audit_heads h SET position = o.position, hash = o.hash, signature = o.signature FROM audit_heads o
     WHERE h.account_id = $1 AND o.account_id = $3 AND $2 > 0`,
  ),
  between(
    'reuse an id of another account',
    `UPDATE audit_log SET id = (SELECT id FROM audit_log WHERE account_id = $3 AND position = 3) WHERE account_id = $1 AND position = $2`,
  ),
];

/** Tamperings with entries and their positions. */
export const entryTamperings: readonly Tampering[] = [
  ...edits,
  ...removals,
  ...insertions,
  ...orders,
  ...rewrites,
  ...betweenAccounts,
];
