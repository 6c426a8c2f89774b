import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { completeApp, type RegisteredApp } from './apps.ts';
import { startClock } from './world/clock.ts';
import { serveControl } from './http/control.ts';
import { newCounts, type Counts } from './world/counts.ts';
import { keepFaults, type FaultSwitch } from './world/faults.ts';
import { readForms } from './http/form-body.ts';
import { installFaults } from './http/install-faults.ts';
import { openFrame, type LabParts, type OpenedFrame } from './http/open-frame.ts';
import { namedPeople, populate } from './world/people/people.ts';
import { rememberDay } from './world/people/remember-day.ts';
import type { LabProvider } from './provider.ts';
import { allProviders } from './providers/index.ts';
import { keepPushes } from './world/pushes.ts';
import type { Lab } from './lab-type.ts';

export interface StartLabOptions {
  /** Defaults to any free port. */
  port?: number;
  /** Apps that may connect. Defaults to one demo app. */
  apps?: Partial<RegisteredApp>[];
  /** A different seed generates different people and data. */
  seed?: number;
  providers?: readonly LabProvider[];
  /** Starts a clock that stands still at this time until it is moved. Without it, the clock follows real time. */
  startAt?: number;
  /** Faults that apply from the start, to all past and future data. */
  faults?: FaultSwitch[];
}

/** Starts the lab on the loopback interface. */
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
    const providerCounts = countsOf.get(provider);
    if (providerCounts) return providerCounts;
    const known = [...countsOf.keys()].join(', ');
    throw new RangeError(`The lab does not simulate ${provider}. It simulates ${known}.`);
  };
  const faults = keepFaults(seed, clock.now, options.faults ?? []);
  const log = keepPushes({
    clock,
    counts,
    isLost: (provider, push, id) => faults.strike('push_lost', provider, push.personId, id) !== null,
  });
  const people = namedPeople(seed);
  const apps = (options.apps ?? [{}]).map((partialApp) => completeApp(partialApp, url));
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
      if (!person) throw unknownPerson(id);
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

function unknownPerson(id: string): RangeError {
  return new RangeError(
    `The lab has no simulated user ${id}. Use an id from GET /lab/people, or person-1 and so on.`,
  );
}

/** Starts listening before any route is registered, because providers need their own URL. */
async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
