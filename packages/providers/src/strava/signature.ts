import { createHmac } from 'node:crypto';
import { isSameSecret } from '../is-same-secret.ts';
import type { PushRequest } from '../provider.ts';

/** Whether `X-Strava-Signature` (`t=<seconds>,v1=<hex>`) is a recent signature of this body. */
export function isSigned(
  { headers, body }: PushRequest,
  secret: string,
  { nowMs, toleranceMs }: { nowMs: number; toleranceMs: number },
): boolean {
  const [, time = '', signature = ''] =
    /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers['x-strava-signature'] ?? '') ?? [];
  if (time === '' || Math.abs(nowMs - Number(time) * 1000) > toleranceMs) return false;
  return isSameSecret(signature, createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'));
}

/** The token that shows that our own subscription is verified. It is derived from the secret, because it is requested before any state is stored. */
export function verifyTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('verify token of push subscriptions').digest('hex');
}
