import { onEntry, somewhere, type Tampering } from './scene.ts';
import { entryTamperings } from './tamper-entries.ts';
import { newId } from './world.ts';

const heads: Tampering[] = [
  onEntry('remove the head', 'DELETE FROM audit_heads WHERE account_id = $1 AND $2 > 0'),
  onEntry('change the position of the head', 'UPDATE audit_heads SET position = $2 WHERE account_id = $1'),
  onEntry(
    'change the hash of the head',
    `UPDATE audit_heads SET hash = sha256('x') WHERE account_id = $1 AND $2 > 0`,
  ),
  onEntry(
    'change the signature of the head',
    `UPDATE audit_heads SET signature = substr(sha256('x'), 1, 16) WHERE account_id = $1 AND $2 > 0`,
  ),
  onEntry(
    'remove the signature of the head',
    `UPDATE audit_heads SET signature = '' WHERE account_id = $1 AND $2 > 0`,
  ),
];

/** A tampering with one text, `t`, or with two neighboring ones. */
const onText = (name: string, sql: string): Tampering => ({
  name,
  async make({ admin, random }) {
    const { rows } = await admin.query<{ entry_id: string }>(
      'SELECT entry_id FROM audit_texts ORDER BY entry_id',
    );
    const at = random.int(0, rows.length - 2);
    await admin.query(sql, [rows[at]!.entry_id, rows[at + 1]!.entry_id]);
  },
});

const swapped = (column: string) =>
  `UPDATE audit_texts t SET ${column} = o.${column} FROM audit_texts o
   WHERE (t.entry_id, o.entry_id) IN (($1::uuid, $2::uuid), ($2::uuid, $1::uuid))`;

const texts: Tampering[] = [
  onText(
    'edit a text',
    `UPDATE audit_texts SET text = '{"email":"x@example.com"}' WHERE entry_id = $1 AND $2::uuid IS NOT NULL`,
  ),
  onText(
    'edit a salt',
    `UPDATE audit_texts SET salt = sha256(salt) WHERE entry_id = $1 AND $2::uuid IS NOT NULL`,
  ),
  onText('remove a text', 'DELETE FROM audit_texts WHERE entry_id = $1 AND $2::uuid IS NOT NULL'),
  onText('swap two salts', swapped('salt')),
  onText('swap two texts', swapped('text')),
  onText(
    'swap two texts with their salts',
    swapped('salt').replace('SET salt = o.salt', 'SET salt = o.salt, text = o.text'),
  ),
  onText(
    'assign a text to another person',
    'UPDATE audit_texts SET person = gen_random_uuid() WHERE entry_id = $1 AND $2::uuid IS NOT NULL',
  ),
  onText(
    'assign a text to another account',
    'UPDATE audit_texts SET account_id = gen_random_uuid() WHERE entry_id = $1 AND $2::uuid IS NOT NULL',
  ),
  onText(
    'assign a text to another environment',
    `UPDATE audit_texts SET environment = CASE WHEN environment IS NULL THEN 'live' END WHERE entry_id = $1 AND $2::uuid IS NOT NULL`,
  ),
  onText(
    'detach a text from its entry',
    'UPDATE audit_texts SET entry_id = gen_random_uuid() WHERE entry_id = $1 AND $2::uuid IS NOT NULL',
  ),
  onText(
    'duplicate a text',
    'INSERT INTO audit_texts SELECT * FROM audit_texts WHERE entry_id = $1 AND $2::uuid IS NOT NULL',
  ),
  {
    name: 'enqueue an entry again',
    async make(scene) {
      const { account, position } = await somewhere(scene);
      await scene.admin.query(
        `INSERT INTO audit_intake (id, account_id, environment, at, actor_type, actor_id, action, target_type, target_id, data)
         SELECT id, account_id, environment, at, actor_type, actor_id, action, target_type, target_id, data FROM audit_log
         WHERE account_id = $1 AND position = $2`,
        [account, position],
      );
    },
  },
  {
    name: 'add a text to an entry without one',
    async make({ admin, random }) {
      const { rows } = await admin.query<{ id: string }>(
        'SELECT id FROM audit_log WHERE text_hash IS NULL ORDER BY id',
      );
      await admin.query(
        `INSERT INTO audit_texts SELECT id, account_id, environment, $2, 'x', '{}' FROM audit_log WHERE id = $1`,
        [random.pick(rows).id, newId()],
      );
    },
  },
];

/** Every known tampering. */
export const tamperings: readonly Tampering[] = [...entryTamperings, ...heads, ...texts];
