import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '../../oauth/secrets.ts';
import type { Frame, LabApp } from '../../provider.ts';
import { Refused } from './response.ts';
import type { Fields } from './range.ts';

const nonceMs = 30 * 60_000;

/** Nonces. Each works once, within half an hour. */
export interface Nonces {
  give: (clientId: string) => string;
  take: (clientId: string, nonce: string) => boolean;
}

/** Stores the nonces of a lab. */
export function keepNonces(now: () => number): Nonces {
  const nonces = new Map<string, { clientId: string; until: number }>();
  return {
    give: (clientId) => {
      for (const [nonce, { until }] of nonces) if (until <= now()) nonces.delete(nonce);
      const nonce = randomBytes(20).toString('hex');
      nonces.set(nonce, { clientId, until: now() + nonceMs });
      return nonce;
    },
    take: (clientId, nonce) => {
      const entry = nonces.get(nonce);
      if (entry?.clientId !== clientId) return false;
      nonces.delete(nonce);
      return entry.until > now();
    },
  };
}

/** The app that signed `action`, `client_id` and `nonce` or `timestamp` with its secret. */
export function signedBy(frame: Frame, fields: Fields, third: 'nonce' | 'timestamp'): LabApp {
  const app = frame.app(fields['client_id'] ?? '');
  const signature = fields['signature'];
  const value = fields[third];
  if (!app || !signature || !value) throw new Refused('parameter');
  // Sorted by name: action, client_id, nonce or timestamp.
  const signed = [fields['action'], fields['client_id'], value].join(',');
  const expected = createHmac('sha256', app.clientSecret).update(signed).digest();
  if (!isSameSecret(Buffer.from(signature, 'hex'), expected)) throw new Refused('parameter');
  return app;
}
