import { hourMs } from '@tributary/domain';
import { dateOf, numberOf } from '../mapping/read.ts';
import type { Notice, Push, Span } from '../provider.ts';
import { pushKinds } from './push-kinds.ts';

/** Pushes are unsigned forms with a user, a kind and a time, as hints of what to read. A secret in the URL authenticates them. */
export const push: Push = {
  // Subscriptions belong to users and are created when they connect.
  setUp: null,
  respond: async ({ method, body }) => {
    // Withings verifies the URL before it accepts a subscription.
    if (method === 'HEAD') return { status: 200, keep: false };
    if (method !== 'POST') return { status: 405, keep: false };
    const isNotification = readForm(body.toString()) !== null;
    return { status: isNotification ? 200 : 400, keep: isNotification };
  },
  notices: (body) => {
    const form = readForm(body);
    if (!form) return [];
    const { userId, appli, fields } = form;
    if (appli === 46) return isEnd(fields.get('action')) ? [{ userId, kind: 'revoked' }] : [];
    const span = spanOf(fields);
    const streams = pushKinds.find((kind) => kind.appli === appli)?.streams ?? [];
    return span ? streams.map((stream): Notice => ({ userId, kind: 'span', stream, ...span })) : [];
  },
};

function readForm(body: string): { userId: string; appli: number; fields: URLSearchParams } | null {
  const fields = new URLSearchParams(body);
  const [userId, appli] = [fields.get('userid') ?? '', fields.get('appli') ?? ''];
  if (!/^[\w-]{1,64}$/.test(userId) || !/^\d{1,4}$/.test(appli)) return null;
  return { userId, appli: Number(appli), fields };
}

/** A profile that was deleted or unlinked from the app. The same kind also announces profile changes. */
function isEnd(action: string | null): boolean {
  return action === 'delete' || action === 'unlink';
}

function spanOf(fields: URLSearchParams): Span | null {
  const [start, end] = [numberOf(fields.get('startdate')), numberOf(fields.get('enddate'))];
  if (start !== null && end !== null && end >= start && end < 1e11)
    // The end is inclusive, and may equal the start.
    return { fromMs: start * 1000, toMs: (end + 1) * 1000 };
  const date = dateOf(fields.get('date'));
  if (date === null) return null;
  // A date begins fourteen hours before it does in UTC, and ends twelve hours after.
  const dayMs = Date.parse(date);
  return { fromMs: dayMs - 14 * hourMs, toMs: dayMs + 36 * hourMs };
}
