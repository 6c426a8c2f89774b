import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '@tributary/server/testing/database';

const mostRows = 1000;
const restMs = 10;

/** A sort order by which a reader assumes that it has seen everything up to its cursor. */
export interface NaiveOrder {
  title: string;
  /** The columns and their types. */
  by: readonly (readonly [column: string, type: string])[];
  from: readonly string[];
}

export const naiveOrders: readonly NaiveOrder[] = [
  { title: 'ids above the greatest one seen', by: [['seq', 'int8']], from: ['0'] },
  {
    title: '(transaction, id) above the greatest one seen',
    by: [
      ['xid', 'xid8'],
      ['id', 'uuid'],
    ],
    from: ['0', '00000000-0000-0000-0000-000000000000'],
  },
];

/** Reads the table of the proof until aborted, as a client without a sequencer would. Returns the number of events that it saw. */
export async function readNaively(
  db: Queryable,
  { by, from }: NaiveOrder,
  until: AbortSignal,
): Promise<number> {
  const columns = by.map(([column]) => column).join(', ');
  const query = {
    name: `proof/naive ${columns}`,
    text: `SELECT ${by.map(([column]) => `${column}::text AS ${column}`).join(', ')} FROM proof_events
           WHERE (${columns}) > (${by.map(([, type], at) => `$${at + 1}::text::${type}`).join(', ')})
           ORDER BY ${by.map(([column]) => `proof_events.${column}`).join(', ')} LIMIT ${mostRows}`,
  };
  let seen = 0;
  let cursor: readonly string[] = from;
  for (;;) {
    const isLast = until.aborted;
    const { rows } = await db.query<Record<string, string>>({ ...query, values: [...cursor] });
    seen += rows.length;
    const last = rows.at(-1);
    if (last) cursor = by.map(([column]) => last[column]!);
    if (isLast && rows.length === 0) return seen;
    if (rows.length < mostRows) await sleep(restMs);
  }
}

/** Creates the table that records written events, with the columns that naive readers sort by. */
export async function createProofTable(db: Queryable): Promise<void> {
  for (const text of [
    `CREATE TABLE proof_events (
       seq bigserial PRIMARY KEY, xid xid8 NOT NULL DEFAULT pg_current_xact_id(), id uuid NOT NULL, UNIQUE (xid, id))`,
    'GRANT INSERT ON proof_events TO tributary_operator',
    'GRANT USAGE ON SEQUENCE proof_events_seq_seq TO tributary_operator',
  ])
    await db.query({ text });
}
