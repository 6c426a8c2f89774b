import { TributaryError } from './errors.ts';
import type { Event } from './generated/types.ts';

/** A request that a webhook receiver got. */
export interface WebhookRequest {
  /** The secret of the webhook, `whsec_…`. During a rotation, the new and the previous one. */
  secret: string | readonly string[];
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body. A body that was parsed and serialized again has a different signature. */
  body: string | Uint8Array;
  /** Maximum age of the request. Default five minutes. */
  toleranceMs?: number | undefined;
}

/** Why a request was refused. */
export type WebhookProblem = 'missing_header' | 'invalid_timestamp' | 'expired' | 'no_match' | 'invalid_body';

/** The request was not sent by the service. Respond with 400. */
export class WebhookVerificationError extends TributaryError {
  readonly code: WebhookProblem;

  constructor(code: WebhookProblem, message: string) {
    super(message);
    this.code = code;
  }
}

const defaultToleranceMs = 5 * 60_000;
const prefix = 'whsec_';

/** Verifies a webhook request (Standard Webhooks) and returns its event. Throws `WebhookVerificationError` if it is not genuine. */
export async function verifyWebhook(request: WebhookRequest): Promise<Event> {
  const { secret, headers, toleranceMs = defaultToleranceMs } = request;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('invalid_timestamp', '`webhook-timestamp` is not a time.');
  if (Math.abs(Date.now() - Number(timestamp) * 1000) > toleranceMs)
    throw new WebhookVerificationError('expired', 'The request is too old, or one of the clocks is wrong.');
  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : request.body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  const presented = signatures.split(' ');
  let isGenuine = false;
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const expected = `v1,${await sign(one, content)}`;
    for (const signature of presented) isGenuine = isEqual(signature, expected) || isGenuine;
  }
  if (!isGenuine) throw new WebhookVerificationError('no_match', 'No signature matches the secret.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Event;
  } catch {
    throw new WebhookVerificationError('invalid_body', 'The body is not JSON.');
  }
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const isHeaders = typeof (headers as Headers).get === 'function';
  const value = isHeaders
    ? (headers as Headers).get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `The header \`${name}\` is missing.`);
}

async function sign(secret: string, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, content);
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

/** An empty key would let anyone sign. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  let text = '';
  try {
    text = atob(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret);
  } catch {
    // Reported below, without the secret.
  }
  if (text === '') throw new TypeError('The webhook secret must be `whsec_` and base64.');
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Compares texts of any length, in a time that depends only on the length of the presented one. */
function isEqual(presented: string, expected: string): boolean {
  let difference = presented.length ^ expected.length;
  for (let at = 0; at < presented.length; at += 1)
    difference |= presented.charCodeAt(at) ^ expected.charCodeAt(at % expected.length);
  return difference === 0;
}
