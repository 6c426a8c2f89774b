import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { completeApp, type RegisteredApp } from './apps.ts';
import { startClock, type LabClock } from './clock.ts';
import { serveControl } from './control.ts';
import { newCounts, type Counts } from './counts.ts';
import { keepFaults, type Faults, type FaultSwitch } from './faults.ts';
import { readForms } from './form-body.ts';
import { installFaults } from './install-faults.ts';
import { openFrame, type LabParts, type OpenedFrame } from './open-frame.ts';
import type { Day } from './people/day.ts';
import { namedPeople, populate } from './people/people.ts';
import { rememberDay } from './people/remember-day.ts';
import type { DocumentKey, Grant, LabProvider, Visible } from './provider.ts';
import { allProviders } from './providers/index.ts';
import { keepPushes, type PushLog } from './pushes.ts';

export interface StartLabOptions {
  /** Any free one where none is given. */
  port?: number;
  /** Apps that may connect; one to try things out with where none are given. */
  apps?: Partial<RegisteredApp>[];
  /** Another seed is another world. */
  seed?: number;
  providers?: readonly LabProvider[];
  /** A clock that stands at this moment until it is moved; without it, the clock goes with the world's. */
  startAt?: number;
  /** Faults that hold from the beginning, for all that ever was. */
  faults?: FaultSwitch[];
}

/** Providers that run on this machine. */
export interface Lab extends AsyncDisposable {
  url: string;
  seed: number;
  providers: readonly LabProvider[];
  clock: LabClock;
  faults: Faults;
  pushes: PushLog;
  apps: RegisteredApp[];
  /** The consents given at a provider, or at all. */
  grants: (provider?: string) => (Grant & { provider: string })[];
  revoke: (grantId: string) => boolean;
  counts: (provider: string) => Counts;
  /** What really happened, whatever the providers tell of it. */
  truth: (person: string, date: string) => Day;
  /** How a document is seen when nothing happens to it any more. */
  finalOf: (provider: string, document: DocumentKey, endedAt: number) => Visible;
}

/** Starts the lab on loopback. */
export async function startLab(options: StartLabOptions = {}): Promise<Lab> {
  const { seed = 1, providers = allProviders, startAt } = options;
  const server = createServer();
  const url = await listen(server, options.port ?? 0);
  const clock = startClock(startAt);
  const app = Fastify({
    serverFactory: (handler) => server.on('request', handler),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
  });
  const countsOf = new Map(providers.map(({ id }) => [id, newCounts()]));
  const counts = (provider: string): Counts => {
    const found = countsOf.get(provider);
    if (!found)
      throw new RangeError(`The lab does not play ${provider}: it plays ${[...countsOf.keys()].join(', ')}.`);
    return found;
  };
  const faults = keepFaults(seed, clock.now, options.faults ?? []);
  const log = keepPushes({
    clock,
    counts,
    isLost: (provider, push, id) => faults.strike('push_lost', provider, push.personId, id) !== null,
  });
  const people = namedPeople(seed);
  const apps = (options.apps ?? [{}]).map((given) => completeApp(given, url));
  const parts: LabParts = {
    url,
    seed,
    clock,
    faults,
    log,
    people,
    findPerson: populate(seed),
    findApp: (clientId) => apps.find((registered) => registered.clientId === clientId),
    dayOf: rememberDay,
  };
  const frames = new Map<string, OpenedFrame>();
  for (const provider of providers)
    await app.register(
      async (scope: FastifyInstance) => {
        readForms(scope);
        const opened = openFrame(scope, provider, parts, counts(provider.id));
        installFaults(scope, provider, { faults, oauth: opened.frame.oauth, counts: counts(provider.id) });
        frames.set(provider.id, opened);
        provider.register(scope, opened.frame);
      },
      { prefix: `/${provider.id}` },
    );
  const oauthOf = (provider: string) => frames.get(provider)?.frame.oauth;
  const lab: Lab = {
    url,
    seed,
    providers,
    clock,
    faults,
    pushes: log,
    apps,
    grants: (only) =>
      providers
        .filter(({ id }) => only === undefined || id === only)
        .flatMap(({ id }) => (oauthOf(id)?.grants() ?? []).map((grant) => ({ provider: id, ...grant }))),
    revoke: (grantId) => {
      const grant = lab.grants().find(({ id }) => id === grantId);
      if (grant) oauthOf(grant.provider)?.revoke(grantId);
      return grant !== undefined;
    },
    counts,
    truth: (id, date) => {
      const person = parts.findPerson(id);
      if (!person)
        throw new RangeError(
          `Nobody called ${id} lives in the lab: take a name from the list, or person-1 and so on.`,
        );
      return parts.dayOf(person, date);
    },
    finalOf: (provider, document, endedAt) => {
      counts(provider);
      return frames.get(provider)!.visibility.story(document, endedAt).at(-1)!;
    },
    [Symbol.asyncDispose]: async () => {
      clock.stop();
      await log.stop();
      server.closeAllConnections();
      await app.close();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  await app.register(async (scope: FastifyInstance) => serveControl(scope, lab, people));
  await app.ready();
  return lab;
}

/** Listens before anything is served, so that providers know their own address. */
async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
