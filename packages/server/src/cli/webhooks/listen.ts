import { eventTypes, positionEvent } from '@tributary/contract';
import { InvalidArgumentError, type Command } from 'commander';
import { randomBytes } from 'node:crypto';
import { findApiKey } from '../api-key.ts';
import { runAction } from '../run-action.ts';
import { followStream } from './follow-stream.ts';
import { forwardEvent } from './forward-event.ts';
import { describeEnd, describeEvent, describeLoss, describeReturn, describeStart } from './listen-text.ts';

interface ListenOptions {
  forward: string;
  events?: string[];
  url: string;
  secret?: string;
  keyFile?: string;
  fromCursor?: string;
}

const secretPrefix = 'whsec_';

/** Forwards events to an endpoint that is not reachable from the internet, such as one under development. */
export function addWebhookListen(webhooks: Command): void {
  webhooks
    .command('listen')
    .description('forward events to a local endpoint as they happen, signed like webhook deliveries')
    .requiredOption('--forward <url>', 'endpoint URL, such as http://localhost:3000/hooks', parseUrl)
    .option('--events <types>', 'event types to forward, comma-separated; all by default', parseTypes)
    .option('--url <url>', 'base URL of the API', parseUrl, 'http://127.0.0.1:8080')
    .option('--secret <whsec>', 'signing secret; a new one by default', parseSecret)
    .option('--key-file <path>', 'file that contains the API key; by default, TRIBUTARY_API_KEY or a prompt')
    .option('--from-cursor <cursor>', 'start after this feed cursor; by default, forward only new events')
    .addHelpText(
      'after',
      `
The endpoint receives the headers and body of a webhook delivery (Standard Webhooks). Each event is sent once. Rejected events are not
retried. You do not have to register a webhook.

Examples:
  tributary webhooks listen --forward http://localhost:3000/hooks
  tributary webhooks listen --forward http://localhost:3000/hooks --events data.updated,score.updated
  tributary webhooks listen --forward http://localhost:3000/hooks --url https://health.example.com --key-file ~/.tributary-key`,
    )
    .action((options: ListenOptions) => runAction(() => listen(options)));
}

async function listen(options: ListenOptions): Promise<void> {
  const key = await findApiKey(options.keyFile);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const secret = options.secret ?? secretPrefix + randomBytes(32).toString('base64');
  const target = { url: options.forward, secret: bytesOf(secret)! };
  const source = { url: options.url, key, types: options.events ?? null, cursor: options.fromCursor ?? null };
  const environment = key.startsWith('sk_live_') ? 'live' : 'sandbox';
  console.log(describeStart({ ...source, forward: options.forward, secret, environment }));

  let isFirst = true;
  let deliveredCount = 0;
  let refused = 0;
  let cursor = source.cursor;
  for await (const step of followStream(source, stop.signal)) {
    if (step.kind === 'lost') console.log(describeLoss(step));
    if (step.kind === 'connected') {
      console.log(isFirst ? 'Listening. Press Ctrl+C to stop.\n' : describeReturn());
      isFirst = false;
    }
    if (step.kind !== 'message') continue;
    const { event, id } = step.message;
    if (event !== positionEvent) {
      const forwarded = await forwardEvent(step.message, target, stop.signal);
      if (forwarded.status === null && stop.signal.aborted) break;
      const isAccepted = forwarded.status !== null && forwarded.status >= 200 && forwarded.status < 300;
      if (isAccepted) deliveredCount += 1;
      else refused += 1;
      console.log(describeEvent(new Date(), event, forwarded, isAccepted));
    }
    cursor = id;
  }
  console.log(describeEnd({ acceptedCount: deliveredCount, refused, cursor }));
}

function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username) return text;
  throw new InvalidArgumentError('It must be a URL such as http://localhost:3000/hooks.');
}

function parseTypes(text: string): string[] {
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.filter((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`It must be a comma-separated list of ${eventTypes.join(', ')}.`);
  return types;
}

function parseSecret(text: string): string {
  if (bytesOf(text)) return text;
  throw new InvalidArgumentError('It must be whsec_ followed by the base64 of 24 to 64 bytes.');
}

/** The signing key; null for a malformed secret. */
function bytesOf(secret: string): Buffer | null {
  const encoded = secret.slice(secretPrefix.length);
  const bytes = Buffer.from(encoded, 'base64');
  const isWhole = secret.startsWith(secretPrefix) && bytes.toString('base64') === encoded;
  return isWhole && bytes.length >= 24 && bytes.length <= 64 ? bytes : null;
}
