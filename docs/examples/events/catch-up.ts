// Stores all events since the last run: KEY=sk_… API=https://… node catch-up.ts events.db
import { DatabaseSync } from 'node:sqlite';

interface Page {
  events: { event_id: string; event_type: string; user_id: string }[];
  cursor: string;
  has_more: boolean;
}

const api = process.env['API'] ?? 'http://127.0.0.1:8080';
const headers = { authorization: `Bearer ${process.env['KEY'] ?? ''}` };
const db = new DatabaseSync(process.argv[2] ?? 'events.db');
db.exec(`CREATE TABLE IF NOT EXISTS events (event_id TEXT PRIMARY KEY, event_type TEXT, user_id TEXT);
         CREATE TABLE IF NOT EXISTS place (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), cursor TEXT)`);

let storedCount = 0;
for (let hasMore = true; hasMore;) {
  const place = db.prepare('SELECT cursor FROM place').get();
  const query = new URLSearchParams({ limit: '500' });
  if (place) query.set('cursor', String(place['cursor']));
  const response = await fetch(`${api}/v1/events?${query.toString()}`, { headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const page = (await response.json()) as Page;

  // Events and cursor in one transaction: a crash never leaves one without the other.
  db.exec('BEGIN');
  for (const { event_id, event_type, user_id } of page.events)
    db.prepare('INSERT INTO events VALUES (?, ?, ?)').run(event_id, event_type, user_id);
  db.prepare('INSERT OR REPLACE INTO place VALUES (1, ?)').run(page.cursor);
  db.exec('COMMIT');

  storedCount += page.events.length;
  hasMore = page.has_more;
}
console.log(storedCount, 'new events');
