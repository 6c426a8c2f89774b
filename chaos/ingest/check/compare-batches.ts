import type { RunStack } from '@tributary/rig';
import type { UploadHistory } from '../history.ts';
import type { CountedBatch } from '../model/normalized.ts';
import type { Person } from '../people.ts';
import type { Difference } from './differences.ts';

interface BatchRow {
  userId: string;
  batchId: string;
  receivedMs: number;
  createdMs: number;
}

export interface ComparedBatches {
  differences: Difference[];
  /** Stored batches by user number. */
  counted: Map<number, CountedBatch[]>;
  /** Batches that arrived although the client did not learn the outcome of its request. */
  arrivedUnknown: number;
}

/** This process and the api use the same clock but read it at different moments. */
const slackMs = 50;

/** Compares the acknowledged uploads with the stored batches and their receipts. */
export async function compareBatches(
  db: RunStack['admin'],
  people: readonly Person[],
  uploads: readonly UploadHistory[],
): Promise<ComparedBatches> {
  const { rows } = await db.query<BatchRow>(
    `SELECT user_id AS "userId", batch_id AS "batchId", round(date_part('epoch', received_at) * 1000) AS "receivedMs",
       round(date_part('epoch', created_at) * 1000) AS "createdMs" FROM raw_batches`,
  );
  const differences: Difference[] = [];
  const counted = new Map<number, CountedBatch[]>(people.map(({ userAt }) => [userAt, []]));
  const known = new Map(
    uploads.map((one) => [`${people[one.upload.userAt]!.userId} ${one.upload.batchId}`, one]),
  );
  const seen = new Set<string>();
  let arrivedUnknown = 0;
  for (const row of rows) {
    const key = `${row.userId} ${row.batchId}`;
    const one = known.get(key);
    const userAt = one?.upload.userAt ?? people.findIndex(({ userId }) => userId === row.userId);
    const differ = (wrong: Difference['wrong'], expected: string, actualText: string) =>
      differences.push({ wrong, what: 'batch', userAt, at: row.batchId, expected, actual: actualText });
    if (!one?.sent) {
      differ('phantom', 'never sent', 'in raw');
      continue;
    }
    if (seen.has(key)) {
      differ('twice', 'once in raw', 'again in raw');
      continue;
    }
    seen.add(key);
    if (row.receivedMs < one.acknowledgedSentAt) arrivedUnknown += 1;
    const problem = problemOfStamps(row, one);
    if (problem) differ('wrong', problem, `created ${row.createdMs}, received ${row.receivedMs}`);
    counted.get(userAt)!.push({ upload: one.upload, createdMs: row.createdMs });
  }
  for (const [key, { acknowledged, upload }] of known)
    if (acknowledged && !seen.has(key))
      differences.push({
        wrong: 'lost',
        what: 'batch',
        userAt: upload.userAt,
        at: upload.batchId,
        expected: 'in raw, because it was acknowledged',
        actual: 'nothing',
      });
  differences.push(...(await compareReceipts(db, people, counted)));
  return { differences, counted, arrivedUnknown };
}

/** The arrival time lies between the first request and the last response. The creation time follows from it and the phone's clock. */
function problemOfStamps({ receivedMs, createdMs }: BatchRow, history: UploadHistory): string | null {
  if (receivedMs < history.firstSentAt - slackMs || receivedMs > history.lastEndedAt + slackMs)
    return `received between ${history.firstSentAt} and ${history.lastEndedAt}`;
  const { created_at, sent_at } = history.upload.body;
  const byPhone = created_at === undefined ? receivedMs : Date.parse(created_at);
  const offMs = created_at === undefined || sent_at === undefined ? 0 : receivedMs - Date.parse(sent_at);
  const expected = Math.min(receivedMs, byPhone + offMs);
  return createdMs === expected ? null : `created ${expected}`;
}

/** Every stored batch has one receipt, which says that the batch was processed and how many values were rejected. */
async function compareReceipts(
  db: RunStack['admin'],
  people: readonly Person[],
  counted: ReadonlyMap<number, readonly CountedBatch[]>,
): Promise<Difference[]> {
  const { rows } = await db.query<{ key: string; failed: boolean; refused: number }>(
    `SELECT user_id || ' ' || batch_id AS key, failed, counts[4] AS refused FROM receipts`,
  );
  const receipts = Map.groupBy(rows, ({ key }) => key);
  const differences: Difference[] = [];
  for (const [userAt, batches] of counted) {
    for (const { upload } of batches) {
      const key = `${people[userAt]!.userId} ${upload.batchId}`;
      const actual = receipts.get(key) ?? [];
      receipts.delete(key);
      const expected = `one, ${upload.refusedCount} refused`;
      const differ = (wrong: Difference['wrong'], text: string) =>
        differences.push({ wrong, what: 'receipt', userAt, at: upload.batchId, expected, actual: text });
      if (actual.length === 0) differ('lost', 'none');
      else if (actual.length > 1) differ('twice', String(actual.length));
      else if (actual[0]!.failed) differ('wrong', 'failed');
      else if (actual[0]!.refused !== upload.refusedCount) differ('wrong', `${actual[0]!.refused} refused`);
    }
  }
  for (const key of receipts.keys()) {
    const [user, at] = key.split(' ') as [string, string];
    const userAt = people.findIndex(({ userId }) => userId === user);
    differences.push({ wrong: 'phantom', what: 'receipt', userAt, at, expected: 'none', actual: 'one' });
  }
  return differences;
}
