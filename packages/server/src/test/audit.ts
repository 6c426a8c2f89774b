import type { TestApp } from './apps/test-app.ts';

/** An audit entry as stored in the database, with its personal data. */
export interface StoredEntry {
  account: string;
  environment: string | null;
  actor: string;
  action: string;
  target: string;
  address: string | null;
  requestId: string | null;
  data: Record<string, unknown>;
  person: string | null;
  text: Record<string, string | null> | null;
}

const allEntries = ['audit_intake', 'audit_log']
  .map(
    (table) =>
      `SELECT id, account_id, environment, actor_type, actor_id, action, target_type, target_id, address, request_id, data, person FROM ${table}`,
  )
  .join(' UNION ALL ');

/** Runs an action and returns the entries written meanwhile, oldest first. */
export async function entriesDuring<T>(
  app: TestApp,
  work: () => Promise<T>,
): Promise<{ response: T; entries: StoredEntry[] }> {
  const { rows: known } = await app.admin.query(`SELECT id FROM (${allEntries}) AS e`);
  const result = await work();
  const { rows } = await app.admin.query<StoredEntry>(
    `SELECT e.account_id AS account, e.environment, e.actor_type || ' ' || e.actor_id AS actor, e.action, e.target_type || ' ' || e.target_id AS target,
       e.address, e.request_id AS "requestId", e.data, e.person, t.text
     FROM (${allEntries}) AS e LEFT JOIN audit_texts t ON t.entry_id = e.id WHERE e.id <> ALL ($1) ORDER BY e.id`,
    [known.map(({ id }) => id)],
  );
  return { response: result, entries: rows };
}

/** The whole audit log as text, to search for data that must not be there. */
export async function allAuditText(app: TestApp): Promise<string> {
  const tables = ['audit_intake', 'audit_log', 'audit_texts', 'audit_heads'];
  const rows = await Promise.all(
    tables.map((table) => app.admin.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`)),
  );
  return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n');
}
