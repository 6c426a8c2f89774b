// Reads data of a user: KEY=sk_… API=https://… node read.ts user_…
import { NotFoundError, Tributary } from '@tributary/client';

const client = new Tributary({
  baseUrl: process.env['API'] ?? 'http://127.0.0.1:8080',
  apiKey: process.env['KEY'] ?? '',
  form: 2,
});
const userId = process.argv[2] ?? '';
const range = { from_date: '2026-03-01', to_date: '2026-03-02' };

const { dates, series } = await client.daily.list(userId, { ...range, types: ['steps', 'weight'] });
for (const [at, date] of dates.entries())
  console.log(date, series['steps']?.[at] ?? 'no steps', series['weight']?.[at] ?? 'no weight');

// A list is a page when you await it, and all items when you iterate it.
for await (const { type, duration_minutes } of client.workouts.list(userId, { ...range, limit: 1 }))
  console.log(type, duration_minutes, 'minutes');

const { etag } = await client.metrics.list().withResponse();
const changed = await client.metrics.list().ifChanged(etag ?? '');
console.log(changed === null ? 'The catalog has not changed.' : 'The catalog has changed.');

try {
  await client.workouts.get(userId, 'wko_unknown');
} catch (error) {
  if (error instanceof NotFoundError && error.code === 'workout_not_found')
    console.log(error.status, error.code, error.requestId);
  else throw error;
}
