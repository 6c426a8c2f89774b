/** Bytes on disk for a month of heart rate: the chunks with their index, and the raw layer, as autovacuum leaves them. */
import { createPeople } from './ingest/people.ts';
import { Driver } from './ingest/driver.ts';
import { UploadSource, valuesPerUpload } from './ingest/uploads.ts';
import { limitRunTime, progress, Report, startRunStack } from '@tributary/rig';

if (process.argv.includes('--help')) {
  console.log(
    'npm run bench:size [-- --short]\n\nUploads 30 days of heart rate every 5 s for 100 users (short: 4 days for 20) and measures the tables.',
  );
  process.exit(0);
}
const short = process.argv.includes('--short');
const people = short ? 20 : 100;
const days = short ? 4 : 30;
const valuesPerDay = 17_280;
const uploadsAtOnce = 4_000;
limitRunTime(30);

await using run = await startRunStack(['api', 'ingest'], { LOG_LEVEL: 'warn' });
const sessions = await createPeople(run, people);
const source = new UploadSource(run.api[0]!.baseUrl, sessions, Date.now() - (days + 1) * 86_400_000);
using driver = new Driver(run);
const uploads = Math.ceil((people * days * valuesPerDay) / valuesPerUpload);
for (let sent = 0; sent < uploads; sent += uploadsAtOnce) {
  await driver.sendAll(Array.from({ length: Math.min(uploadsAtOnce, uploads - sent) }, () => source.next()));
  progress(`${Math.min(sent + uploadsAtOnce, uploads)} of ${uploads} uploads`);
}
await driver.drained();

const values = uploads * valuesPerUpload;
const report = new Report();
report.note('values', values.toLocaleString('en'));
await size('chunks', 'sample_chunks', 2.5);
await size('raw', 'raw_batches', 2.5);
for (const table of ['device_days', 'canonical_months', 'receipts', 'events']) await size(table, table, null);
report.print(`${days} days of heart rate every 5 s for ${people} users`);

async function size(title: string, table: string, most: number | null): Promise<void> {
  const { rows } = await run.admin.query<{ total: number; indexes: number; dead: number }>({
    text: `SELECT pg_total_relation_size(c.oid) AS total, pg_indexes_size(c.oid) AS indexes, s.n_dead_tup AS dead
           FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid WHERE c.relname = $1`,
    values: [table],
  });
  const { total, indexes, dead } = rows[0]!;
  const perValue = total / values;
  const figure = `${perValue.toFixed(2)} (${Math.round(total / 1e6)} MB, of which indexes ${Math.round(indexes / 1e6)}; ${dead} dead rows)`;
  if (most === null) report.note(`${title}, bytes per value`, figure);
  else report.bound(`${title}, bytes per value`, figure, `≤ ${most}`, perValue <= most);
}
