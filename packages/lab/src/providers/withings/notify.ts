import type { FastifyInstance } from 'fastify';
import type { Frame, Grant } from '../../provider.ts';
import { Refused } from './response.ts';
import type { Fields } from './range.ts';
import { serveActions } from './rpc.ts';
import type { Call } from './rpc.ts';

/** The notifications an app wants for a person, and their URL. */
interface Subscription {
  appli: number;
  callbackurl: string;
  comment: string;
}

export interface Subscriptions {
  of: (grant: Grant) => Subscription[];
  drop: (grant: Grant) => void;
}

const headTimeoutMs = 2000;
const maxSubscriptions = 100;

/** The scope that each kind of notification requires. Kinds that the lab never sends can still be subscribed to. */
const scopes = new Map([
  ...[1, 2, 4, 54, 55, 58].map((appli) => [appli, 'user.metrics'] as const),
  ...[16, 44].map((appli) => [appli, 'user.activity'] as const),
  [46, 'user.info'] as const,
  ...[50, 51].map((appli) => [appli, 'user.sleepevents'] as const),
]);

/** Serves subscriptions, one per person and kind. */
export function serveNotify(app: FastifyInstance, frame: Frame): Subscriptions {
  const subscriptionsByGrant = new Map<string, Subscription[]>();
  const of = (grant: Grant) => subscriptionsByGrant.get(grant.id) ?? [];
  const find = (grant: Grant, fields: Fields) => {
    const subscription = of(grant).find(
      (one) => one.appli === Number(fields['appli']) && one.callbackurl === fields['callbackurl'],
    );
    if (!subscription) throw new Refused('callback');
    return subscription;
  };
  const put = async ({ grant }: Call, subscription: Subscription, instead?: Subscription) => {
    const scope = scopes.get(subscription.appli);
    if (!scope) throw new Refused('parameter');
    if (!grant.scopes.includes(scope)) throw new Refused('scope');
    await checkCallback(subscription.callbackurl);
    const others = of(grant).filter((one) => one !== instead && !isSame(one, subscription));
    if (others.length >= maxSubscriptions) throw new Refused('callback');
    subscriptionsByGrant.set(grant.id, [...others, subscription]);
    return {};
  };
  serveActions(app, frame, '/wbsapi/notify', {
    subscribe: { scope: null, run: (call) => put(call, subscriptionOf(call.fields)) },
    update: {
      scope: null,
      run: (call) => {
        const { new_appli: appli, new_callbackurl: callbackurl, comment } = call.fields;
        const before = find(call.grant, call.fields);
        const after = {
          appli: appli === undefined ? before.appli : Number(appli),
          callbackurl: callbackurl ?? before.callbackurl,
          comment: comment ?? before.comment,
        };
        return put(call, after, before);
      },
    },
    get: { scope: null, run: ({ grant, fields }) => find(grant, fields) },
    list: {
      scope: null,
      run: ({ grant, fields: { appli } }) => ({
        profiles: of(grant).filter((one) => appli === undefined || one.appli === Number(appli)),
      }),
    },
    revoke: {
      scope: null,
      run: ({ grant, fields }) => {
        const subscription = find(grant, fields);
        subscriptionsByGrant.set(
          grant.id,
          of(grant).filter((one) => one !== subscription),
        );
        return {};
      },
    },
  });
  return { of, drop: (grant) => void subscriptionsByGrant.delete(grant.id) };
}

function subscriptionOf(fields: Fields): Subscription {
  const { appli, callbackurl, comment } = fields;
  if (!appli || !callbackurl) throw new Refused('parameter');
  return { appli: Number(appli), callbackurl, comment: comment ?? '' };
}

function isSame(one: Subscription, other: Subscription): boolean {
  return one.appli === other.appli && one.callbackurl === other.callbackurl;
}

/** A callback that does not accept HEAD is rejected. Plain HTTP is allowed here, so that a machine without certificates can listen. */
async function checkCallback(url: string): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new Refused('callback');
  const isGood = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(headTimeoutMs),
  }).then(
    (response) => response.ok,
    () => false,
  );
  if (!isGood) throw new Refused('callback');
}
