import { createHmac } from 'node:crypto';
import { isSameSecret } from '../is-same-secret.ts';
import { dateOf, fieldsOf, idOf, instantOf } from '../mapping/read.ts';
import type { Notice, Push } from '../provider.ts';
import { setUpWebhook } from './webhook.ts';

/** Pushes contain what to read: an exercise by its id, days and nights by their dates. */
export const push: Push = {
  setUp: setUpWebhook,
  respond: async ({ method, headers, body }, { state }) => {
    if (method !== 'POST') return { status: 405, keep: false };
    // Sent while the webhook is created, when there is no secret yet. It has no content.
    if (fieldsOf(parsed(body.toString('utf8')))['event'] === 'PING') return { status: 200, keep: false };
    const secret = state['secret'];
    const signature = Buffer.from(headers['polar-webhook-signature'] ?? '', 'hex');
    const isGenuine =
      secret !== undefined &&
      secret !== '' &&
      isSameSecret(signature, createHmac('sha256', secret).update(body).digest());
    return { status: isGenuine ? 200 : 401, keep: isGenuine };
  },
  notices: (body) => {
    const { event, user_id: user, entity_id: entity, date: rawDate, timestamp } = fieldsOf(parsed(body));
    const userId = idOf(user);
    if (userId === null) return [];
    const document = (stream: string, id: string | null): Notice[] =>
      id === null ? [] : [{ userId, kind: 'document', stream, id }];
    const date = dateOf(rawDate);
    switch (event) {
      case 'EXERCISE':
        return document('exercises', idOf(entity));
      case 'SLEEP':
        // The recharge has no event of its own. It is computed from the same night.
        return [...document('sleep', date), ...document('nightly-recharge', date)];
      case 'CONTINUOUS_HEART_RATE':
        return document('heart-rate', date);
      case 'ACTIVITY_SUMMARY':
        return document('activity', date);
      case 'PHYSICAL_INFORMATION': {
        const atMs = instantOf(timestamp);
        if (atMs === null) return [];
        return [{ userId, kind: 'span', stream: 'physical-info', fromMs: atMs, toMs: atMs + 1 }];
      }
      default:
        return [];
    }
  },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
