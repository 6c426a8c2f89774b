import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signMessage } from './sign.ts';

const id = 'evt_01jcqz7m3ye5xvv9b1s6k0n4pd';
const body = JSON.stringify({ event_id: id, note: 'Grüße, 体重, 🫀' });
const timestampSeconds = Math.floor(Date.now() / 1000);
const receiverOf = (secret: Buffer) => new Webhook(`whsec_${secret.toString('base64')}`);

function headersOf(secrets: readonly Buffer[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signMessage({ secrets, id, timestampSeconds, body }),
  };
}

describe('a receiver with the Standard Webhooks library', () => {
  test.each([24, 32, 64])('accepts a signature by a secret of %d bytes', (length) => {
    const secret = randomBytes(length);
    expect(receiverOf(secret).verify(body, headersOf([secret]))).toEqual(JSON.parse(body));
  });

  test('accepts either secret of a rotation, and no other', () => {
    const secrets = [randomBytes(32), randomBytes(32)];
    const headers = headersOf(secrets);
    for (const secret of secrets) expect(receiverOf(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => receiverOf(randomBytes(32)).verify(body, headers)).toThrow('No matching signature found');
  });

  test('rejects another body, ID or time', () => {
    const secret = randomBytes(32);
    const headers = headersOf([secret]);
    const refused = 'No matching signature found';
    expect(() => receiverOf(secret).verify(`${body} `, headers)).toThrow(refused);
    expect(() => receiverOf(secret).verify(body, { ...headers, 'webhook-id': 'evt_other' })).toThrow(refused);
    const later = { ...headers, 'webhook-timestamp': String(timestampSeconds + 1) };
    expect(() => receiverOf(secret).verify(body, later)).toThrow(refused);
  });
});

test('reproduces the signature of the published example', () => {
  const secrets = [Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')];
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
  };
  expect(signMessage({ secrets, ...message })).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});
