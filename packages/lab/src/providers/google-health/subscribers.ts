import { randomUUID } from 'node:crypto';
import { dataTypes } from './batches/data-types.ts';
import { GoogleRefusal } from './refusal.ts';
import { verifyEndpoint } from './verify-endpoint.ts';

interface SubscriberConfig {
  dataTypes: string[];
  subscriptionCreatePolicy: 'AUTOMATIC' | 'MANUAL';
}

export interface Subscription {
  id: string;
  user: string;
  dataTypes: string[];
}

export interface Subscriber {
  clientId: string;
  project: string;
  id: string;
  endpointUri: string;
  secret: string;
  configs: SubscriberConfig[];
  /** A subscriber becomes inactive when its pushes fail, until it is verified again. That this happens at once is an assumption. */
  isActive: boolean;
  subscriptions: Subscription[];
}

type Body = Record<string, unknown>;
const mostText = 2000;

/** The subscribers of all projects. */
export class Subscribers {
  readonly #all: Subscriber[] = [];

  /** The subscribers of an app, optionally of one project. */
  list(clientId: string, project?: string): Subscriber[] {
    return this.#all.filter(
      (one) => one.clientId === clientId && (project === undefined || one.project === project),
    );
  }

  get(clientId: string, project: string, id: string): Subscriber {
    const subscriber = this.list(clientId, project).find((one) => one.id === id);
    if (!subscriber) throw new GoogleRefusal(404, 'Subscriber not found.');
    return subscriber;
  }

  /** Verifies the endpoint first. */
  async create(clientId: string, project: string, id: string, body: Body): Promise<Subscriber> {
    const fields = readSubscriber(body);
    await verifyEndpoint(fields.endpointUri, fields.secret);
    if (this.list(clientId, project).some((one) => one.id === id))
      throw new GoogleRefusal(409, 'A subscriber with this id already exists. Update that one.');
    const created = { clientId, project, id, ...fields, isActive: true, subscriptions: [] };
    this.#all.push(created);
    return created;
  }

  /** Keeps fields that are absent. Always verifies the endpoint again. */
  async update(subscriber: Subscriber, body: Body): Promise<Subscriber> {
    const fields = readSubscriber({
      endpointUri: subscriber.endpointUri,
      endpointAuthorization: { secret: subscriber.secret },
      subscriberConfigs: subscriber.configs,
      ...body,
    });
    await verifyEndpoint(fields.endpointUri, fields.secret);
    return Object.assign(subscriber, fields, { isActive: true });
  }

  remove(subscriber: Subscriber): void {
    this.#all.splice(this.#all.indexOf(subscriber), 1);
  }
}

/** Validates a subscription. */
export function readSubscription({ user, dataTypes: types }: Body): Subscription {
  if (typeof user !== 'string' || !/^users\/\d{1,32}$/.test(user))
    throw new GoogleRefusal(400, 'user must be users/ followed by the health user id.');
  return { id: randomUUID(), user, dataTypes: readTypes(types) };
}

function readSubscriber(body: Body): Pick<Subscriber, 'endpointUri' | 'secret' | 'configs'> {
  const { endpointUri, subscriberConfigs: configs, endpointAuthorization: authorization } = body;
  const secret = (authorization as Body | null | undefined)?.['secret'];
  if (typeof endpointUri !== 'string' || !/^https?:$/.test(URL.parse(endpointUri)?.protocol ?? ''))
    throw new GoogleRefusal(400, 'endpointUri must be an HTTP or HTTPS URL.');
  if (typeof secret !== 'string' || secret === '' || secret.length > mostText)
    throw new GoogleRefusal(400, 'endpointAuthorization.secret must be a string such as "Bearer xyz".');
  if (!Array.isArray(configs) || configs.length === 0 || configs.length > 100)
    throw new GoogleRefusal(400, 'subscriberConfigs must be a list.');
  return { endpointUri, secret, configs: configs.map((config) => readConfig(config as Body | null)) };
}

function readConfig(config: Body | null): SubscriberConfig {
  const policy = config?.['subscriptionCreatePolicy'];
  if (policy !== 'AUTOMATIC' && policy !== 'MANUAL')
    throw new GoogleRefusal(400, 'subscriptionCreatePolicy must be AUTOMATIC or MANUAL.');
  return { dataTypes: readTypes(config?.['dataTypes']), subscriptionCreatePolicy: policy };
}

function readTypes(types: unknown): string[] {
  const names = Array.isArray(types) ? types.map(String) : [];
  const wrong = names.find((name) => !dataTypes.get(name)?.isPushed);
  if (names.length === 0 || wrong !== undefined)
    throw new GoogleRefusal(
      400,
      `dataTypes must be a list of types that support pushes. ${wrong ?? 'none'} does not.`,
    );
  return names;
}
