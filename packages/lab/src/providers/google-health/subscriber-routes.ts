import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Frame } from '../../provider.ts';
import { queryValue } from './admit.ts';
import type { ProjectTokens } from './project-tokens.ts';
import { GoogleRefusal } from './refusal.ts';
import { readSubscription, type Subscriber, type Subscribers, type Subscription } from './subscribers.ts';

interface Routed {
  Params: { project: string; id: string; subscription: string };
}
type SubscriberRequest = FastifyRequest<Routed>;

const base = '/health/v4/projects/:project/subscribers';

/** Subscribers of a project. The lab accepts any project number and identifies apps by their tokens. */
export function serveSubscribers(
  app: FastifyInstance,
  frame: Frame,
  subscribers: Subscribers,
  tokens: ProjectTokens,
): void {
  const open = ({
    headers,
    params: { project },
  }: SubscriberRequest): { clientId: string; project: string } => {
    const bearer = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
    const clientId = bearer === undefined ? null : tokens.clientOf(bearer);
    if (clientId === null || !frame.app(clientId))
      throw new GoogleRefusal(401, 'Send a token of a service account in the project.');
    if (!/^\d{1,20}$/.test(project))
      throw new GoogleRefusal(400, 'Use the project number, not the project id.');
    return { clientId, project };
  };
  const find = (request: SubscriberRequest): Subscriber => {
    const { clientId, project } = open(request);
    return subscribers.get(clientId, project, request.params.id);
  };

  app.get<Routed>(base, (request) => {
    const { clientId, project } = open(request);
    return { subscribers: subscribers.list(clientId, project).map(subscriberOf) };
  });
  app.post<Routed>(base, async (request) => {
    const { clientId, project } = open(request);
    const id = queryValue(request, 'subscriberId') ?? randomUUID();
    if (!/^[\w-]{1,64}$/.test(id))
      throw new GoogleRefusal(400, 'subscriberId may contain only letters, digits, - and _.');
    return operationOf(subscriberOf(await subscribers.create(clientId, project, id, bodyOf(request))));
  });
  app.patch<Routed>(`${base}/:id`, async (request) =>
    operationOf(subscriberOf(await subscribers.update(find(request), bodyOf(request)))),
  );
  app.delete<Routed>(`${base}/:id`, (request) => {
    subscribers.remove(find(request));
    return operationOf({});
  });

  app.get<Routed>(`${base}/:id/subscriptions`, (request) => {
    const subscriber = find(request);
    return { subscriptions: subscriber.subscriptions.map((one) => subscriptionOf(subscriber, one)) };
  });
  app.post<Routed>(`${base}/:id/subscriptions`, (request) => {
    const subscriber = find(request);
    const subscription = readSubscription(bodyOf(request));
    if (subscriber.subscriptions.some(({ user }) => user === subscription.user))
      throw new GoogleRefusal(409, 'A subscription for this user already exists.');
    subscriber.subscriptions.push(subscription);
    return subscriptionOf(subscriber, subscription);
  });
  app.delete<Routed>(`${base}/:id/subscriptions/:subscription`, (request) => {
    const { subscriptions } = find(request);
    const index = subscriptions.findIndex(({ id }) => id === request.params.subscription);
    if (index < 0) throw new GoogleRefusal(404, 'Subscription not found.');
    subscriptions.splice(index, 1);
    return {};
  });
}

/** The resource name of a subscriber. */
export function nameOf({ project, id }: Subscriber): string {
  return `projects/${project}/subscribers/${id}`;
}

/** The secret is never returned. */
function subscriberOf(subscriber: Subscriber): Record<string, unknown> {
  return {
    name: nameOf(subscriber),
    endpointUri: subscriber.endpointUri,
    subscriberConfigs: subscriber.configs,
    state: subscriber.isActive ? 'ACTIVE' : 'INACTIVE',
  };
}

function subscriptionOf(subscriber: Subscriber, { id, user, dataTypes }: Subscription) {
  return { name: `${nameOf(subscriber)}/subscriptions/${id}`, user, dataTypes };
}

function operationOf(response: Record<string, unknown>): Record<string, unknown> {
  return { name: `operations/${randomUUID()}`, done: true, response };
}

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  return body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {};
}
