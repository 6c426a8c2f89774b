// Receives webhooks: WEBHOOK_SECRET=whsec_… PORT=4005 node receive.ts
import { createServer, type IncomingMessage } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from '@tributary/client';

const secret = process.env['WEBHOOK_SECRET'] ?? '';
const port = Number(process.env['PORT'] ?? 4005);
const mostBytes = 65_536;

async function receive(request: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) return 413;
    chunks.push(chunk);
  }
  try {
    const event = await verifyWebhook({ secret, headers: request.headers, body: Buffer.concat(chunks) });
    console.log(event.event_type, event.event_id);
    return 204;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 400;
    throw error;
  }
}

createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
}).listen(port, '127.0.0.1', () => console.log('listening on', port));
