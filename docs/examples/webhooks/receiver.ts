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

// In a real receiver a table: INSERT … ON CONFLICT (event_id) DO NOTHING tells whether the event is new.
const kept = new Map<string, Event>();

async function receive(request: IncomingMessage): Promise<[status: number, text?: string]> {
  if (request.method !== 'POST') return [405];
  // The bytes as they came: parsed and printed again they would have another signature.
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
  if (!kept.has(event.event_id)) {
    kept.set(event.event_id, event);
    setImmediate(work, event);
  }
  return [204];
}

/** Runs after the answer: here you read from the API what changed, history (`backfill`) after everything else. */
function work({ event_type, event_id, user_id, data }: Event): void {
  const kind = data.test ? 'test' : data.backfill ? 'history' : 'new';
  console.log(event_type, event_id, user_id, data.first_date ?? '-', data.last_date ?? '-', kind);
}

createServer((request, response) => {
  receive(request).then(
    ([status, text]) => response.writeHead(status).end(text),
    () => response.destroy(), // the sender went away
  );
}).listen(port, '127.0.0.1', () => console.log('listening on', port));
