// Stores events of one user as they occur: KEY=sk_… API=https://… node follow.ts events.db user_… [how many]
import { DatabaseSync } from 'node:sqlite';
import { Tributary } from '@tributary/client';

const [file = 'events.db', userId = '', most = 'Infinity'] = process.argv.slice(2);
const client = new Tributary({
  baseUrl: process.env['API'] ?? 'http://127.0.0.1:8080',
  apiKey: process.env['KEY'] ?? '',
  form: 2,
});
const db = new DatabaseSync(file);
db.exec(`CREATE TABLE IF NOT EXISTS events (event_id TEXT PRIMARY KEY, event_type TEXT);
         CREATE TABLE IF NOT EXISTS place (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), cursor TEXT)`);
const place = db.prepare('SELECT cursor FROM place').get();

let stored = 0;
for await (const { event, cursor } of client.events.follow({
  user_id: userId,
  ...(place ? { cursor: String(place['cursor']) } : { from: 'beginning' }),
})) {
  // Event and cursor in one transaction: a crash never leaves one without the other.
  db.exec('BEGIN');
  db.prepare('INSERT INTO events VALUES (?, ?)').run(event.event_id, event.event_type);
  db.prepare('INSERT OR REPLACE INTO place VALUES (1, ?)').run(cursor);
  db.exec('COMMIT');
  console.log(event.event_type);
  if ((stored += 1) >= Number(most)) break;
}
