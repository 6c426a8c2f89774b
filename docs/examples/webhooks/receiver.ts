// Receives webhooks: WEBHOOK_SECRET=whsec_… PORT=4001 node receiver.ts
import { createServer, type IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';

interface Event {
  event_id: string;
  event_type: string;
  user_id: string;
  data: { first_date?: string; last_date?: string; backfill?: boolean; test?: boolean };
}

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '');
const port = Number(process.env['PORT'] ?? 4001);
const mostBytes = 65_536;

// A real receiver uses a table: INSERT … ON CONFLICT (event_id) DO NOTHING shows whether the event is new.
const seenEvents = new Map<string, Event>();

async function receive(request: IncomingMessage): Promise<[status: number, text?: string]> {
  if (request.method !== 'POST') return [405];
  // The raw bytes: a body that is parsed and serialized again has a different signature.
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) return [413];
    chunks.push(chunk);
  }
  let event: Event;
  try {
    event = webhook.verify(Buffer.concat(chunks), request.headers as Record<string, string>) as Event;
  } catch {
    return [400, 'The signature does not match.'];
  }
  if (!seenEvents.has(event.event_id)) {
    seenEvents.set(event.event_id, event);
    setImmediate(work, event);
  }
  return [204];
}

/** Runs after the response is sent: read the changed data from the API here, history (`backfill`) last. */
function work({ event_type, event_id, user_id, data }: Event): void {
  const kind = data.test ? 'test' : data.backfill ? 'history' : 'new';
  console.log(event_type, event_id, user_id, data.first_date ?? '-', data.last_date ?? '-', kind);
}

createServer((request, response) => {
  receive(request).then(
    ([status, text]) => response.writeHead(status).end(text),
    () => response.destroy(), // the sender closed the connection
  );
}).listen(port, '127.0.0.1', () => console.log('listening on', port));
