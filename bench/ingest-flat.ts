/** One upload costs the same with 200,000 users in the database as with 1,000. */
import { createPeople, type Person } from './ingest/people.ts';
import {
  cpuSeconds,
  limitRunTime,
  median,
  progress,
  Report,
  type RunStack,
  startRunStack,
} from '@tributary/rig';
import { Driver } from './ingest/driver.ts';
import { fillHistory } from './ingest/history.ts';
import { UploadSource } from './ingest/uploads.ts';

if (process.argv.includes('--help')) {
  console.log(
    'npm run bench:flat [-- --short]\n\nCompares the cost of one upload in a database with 1,000 users and with 200,000 (short: 20,000), alternating.',
  );
  process.exit(0);
}
const short = process.argv.includes('--short');
const small = 1_000;
const large = short ? 20_000 : 200_000;
const uploaders = 200;
const denseDays = short ? 1 : 7;
const rounds = short ? 5 : 9;
const uploadsPerRound = short ? 800 : 1_500;
limitRunTime(45);

interface Side {
  driver: Driver;
  source: UploadSource;
  cpuMicros: number[];
  elapsedMicros: number[];
}

const stacks = new AsyncDisposableStack();
const sides = [await prepare(small), await prepare(large)] as const;
for (let round = 1; round <= rounds; round += 1) {
  // Alternate the order, so that other load on the machine affects both sides equally.
  for (const side of round % 2 ? sides : sides.toReversed()) await measure(side);
  progress(
    `round ${round} of ${rounds}: ${sides.map(({ cpuMicros }) => Math.round(cpuMicros.at(-1)!)).join(' and ')} µs of CPU`,
  );
}
const report = new Report();
const [few, many] = sides;
report.note(`CPU per upload with ${small.toLocaleString('en')} users, µs`, spread(few.cpuMicros));
report.note(`CPU per upload with ${large.toLocaleString('en')} users, µs`, spread(many.cpuMicros));
const ratio = median(many.cpuMicros) / median(few.cpuMicros);
report.bound('ratio of the medians', ratio.toFixed(2), '≤ 1.3', ratio <= 1.3);
report.note(
  'ratio of the median durations',
  (median(many.elapsedMicros) / median(few.elapsedMicros)).toFixed(2),
);
report.print('Cost of one upload, api + ingest + PostgreSQL + NATS');
await stacks.disposeAsync();

async function prepare(users: number): Promise<Side> {
  const run: RunStack = stacks.use(await startRunStack(['api', 'ingest'], { LOG_LEVEL: 'warn' }));
  progress(`creating ${users.toLocaleString('en')} users with 60 days of data`);
  const people: Person[] = [];
  while (people.length < users)
    people.push(...(await createPeople(run, Math.min(20_000, users - people.length))));
  await fillHistory(run);
  const uploading = people.slice(0, uploaders);
  const source = new UploadSource(run.api[0]!.baseUrl, uploading, Date.now() - (denseDays + 3) * 86_400_000);
  const driver = stacks.use(new Driver(run));
  progress(`uploading ${denseDays} days of heart rate for ${uploaders} users`);
  const dense = Math.ceil((uploaders * denseDays * 17_280) / 500);
  for (let sent = 0; sent < dense; sent += 4_000)
    await driver.sendAll(Array.from({ length: Math.min(4_000, dense - sent) }, () => source.next()));
  await driver.drained();
  await run.admin.query({ text: 'ANALYZE' });
  await run.admin.query({ text: 'CHECKPOINT' });
  return { driver, source, cpuMicros: [], elapsedMicros: [] };
}

async function measure({ driver, source, cpuMicros, elapsedMicros }: Side): Promise<void> {
  const uploads = Array.from({ length: uploadsPerRound }, () => source.next());
  const before = await cpuSeconds(driver.run);
  const startedAt = performance.now();
  await driver.sendAll(uploads);
  await driver.drained();
  elapsedMicros.push(((performance.now() - startedAt) * 1000) / uploads.length);
  const after = await cpuSeconds(driver.run);
  const used = Object.keys(after).filter((part) => part !== 'load');
  const seconds = used.reduce((sum, part) => sum + after[part]! - before[part]!, 0);
  cpuMicros.push((seconds * 1e6) / uploads.length);
}

function spread(numbers: number[]): string {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)].map(Math.round);
  return `${Math.round(median(numbers))} (${low} to ${high})`;
}
