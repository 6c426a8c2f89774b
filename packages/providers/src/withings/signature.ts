import { createHmac } from 'node:crypto';
import { ProviderFailure } from '../failure.ts';
import { textOf } from '../mapping/read.ts';
import type { AppApi } from '../provider.ts';
import { callAction } from './call-action.ts';

/** A form signed with the app's secret: the values sorted by field name, joined by commas. */
export function signed(
  { app }: AppApi,
  action: string,
  proof: { nonce: string } | { timestamp: number },
): Record<string, string | number> {
  const form = { action, client_id: app.clientId, ...proof };
  const values = Object.entries(form)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
  const signature = createHmac('sha256', app.clientSecret).update(values.join(',')).digest('hex');
  return { ...form, signature };
}

/** A nonce for one signed call. Only an app with the right secret gets one. */
export async function getNonce(api: AppApi): Promise<string> {
  const form = signed(api, 'getnonce', { timestamp: Math.floor(api.now() / 1000) });
  const nonce = textOf((await callAction(api, '/v2/signature', form, { bare: true }))['nonce']);
  if (nonce === null) throw new ProviderFailure('unavailable', 'the response has no nonce');
  return nonce;
}
