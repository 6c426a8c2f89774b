// Tests a receiver in any language with valid requests and with forged ones:
// WEBHOOK_SECRET=whsec_… node try-receiver.ts http://127.0.0.1:4001/hooks
import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

interface Message {
  id: string;
  timestamp: number;
  body: Buffer;
  signature: string;
}

const [url = '', secret = ''] = [process.argv[2], process.env['WEBHOOK_SECRET']];
if (!URL.canParse(url) || !secret) {
  console.error('Usage: WEBHOOK_SECRET=whsec_… node try-receiver.ts http://127.0.0.1:4001/hooks');
  process.exit(2);
}
const own = new Webhook(secret);
const other = new Webhook(randomBytes(32).toString('base64'));

const event = {
  event_id: `evt_${randomUUID()}`,
  event_type: 'data.updated',
  metrics: ['steps'],
  user_id: 'user_unknown',
  device_id: null,
  timestamp: new Date().toISOString(),
  data: { test: true },
};
const body = Buffer.from(JSON.stringify(event));
const now = Math.floor(Date.now() / 1000);
const genuine = signedBy(own, now);
const forged = signedBy(other, now);
const bytesOff = Array.from(body, (_, at) => ({ ...genuine, body: withByteOff(at) }));

const tries: [title: string, isAccepted: boolean, messages: Message[]][] = [
  ['genuine', true, [genuine]],
  ['the same again', true, [genuine]],
  ['signed with two secrets', true, [both(forged, genuine), both(genuine, forged)]],
  ['each body byte with one bit flipped', false, bytesOff],
  ['different id', false, [{ ...genuine, id: `${genuine.id}0` }]],
  ['different timestamp', false, [{ ...genuine, timestamp: now - 1 }]],
  ['six minutes old', false, [signedBy(own, now - 360)]],
  ['six minutes ahead', false, [signedBy(own, now + 360)]],
  ['signed with a different secret', false, [forged]],
  ['no signature', false, [{ ...genuine, signature: '' }]],
  [
    'different signature version',
    false,
    [{ ...genuine, signature: genuine.signature.replace('v1,', 'v2,') }],
  ],
];

function signedBy(webhook: Webhook, timestamp: number): Message {
  const signature = webhook.sign(event.event_id, new Date(timestamp * 1000), body);
  return { id: event.event_id, timestamp, body, signature };
}

function both(first: Message, second: Message): Message {
  return { ...first, signature: `${first.signature} ${second.signature}` };
}

function withByteOff(at: number): Buffer {
  return Buffer.from(body.map((byte, place) => (place === at ? byte ^ 1 : byte)));
}

/** The status of the response; 0 if there was none. */
async function send(message: Message): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    body: new Uint8Array(message.body),
    headers: {
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': message.signature,
    },
    signal: AbortSignal.timeout(15_000),
  }).catch(() => null);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

for (const [title, isAccepted, messages] of tries) {
  const statuses = new Set<number>();
  for (const message of messages) statuses.add(await send(message));
  // A forged request must be rejected. A 5xx response is a failure, not a rejection.
  const isRight = [...statuses].every((status) =>
    isAccepted ? status >= 200 && status < 300 : status >= 400 && status < 500,
  );
  const line = `${title.padEnd(38)} ${[...statuses].join(' ')}`;
  if (isRight) console.log(`${line} OK`);
  else console.error(`${line} WRONG`);
  if (!isRight) process.exitCode = 1;
}
