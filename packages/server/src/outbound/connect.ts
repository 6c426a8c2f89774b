import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { hostOfAddress, isListed } from './allow-list.ts';
import { portOf } from './check-url.ts';
import { connectFailure, nameFailure, OutboundError, tlsFailure } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';
import type { Resolve } from './resolve-name.ts';

const connectTimeoutMs = 10_000;

// How long to wait for one address before trying the next.
const attemptTimeoutMs = 1_000;

/** Opens connections for the pools, to checked addresses. */
export interface Connector {
  connect: buildConnector.connector;
  /** Aborts connections that are being opened. */
  stop(reason: OutboundError): void;
}

/** Creates a connector that opens connections only to public addresses and allowed hosts. */
export function createConnector(allow: readonly string[], resolve: Resolve): Connector {
  const underWay = new Set<AbortController>();
  // Set explicitly, because an environment variable can change the default.
  const startTls = buildConnector({ allowH2: false, rejectUnauthorized: true, timeout: 0 });

  async function open(target: buildConnector.Options): Promise<Socket> {
    const giveUp = new AbortController();
    const late = new OutboundError('timeout', 'Could not connect to the host within 10 seconds.');
    const timer = setTimeout(() => giveUp.abort(late), connectTimeoutMs);
    underWay.add(giveUp);
    try {
      const addresses = await findAddresses(target, giveUp.signal);
      const socket = await openTcp(target, addresses, giveUp.signal);
      return target.protocol === 'https:' ? await secure(target, socket, giveUp.signal) : socket;
    } finally {
      clearTimeout(timer);
      underWay.delete(giveUp);
    }
  }

  /** The addresses of a host, if connections to all of them are allowed. A host that mixes public and private addresses is suspicious. */
  async function findAddresses(target: buildConnector.Options, signal: AbortSignal): Promise<string[]> {
    const { hostname } = target;
    const port = portOf(target);
    const listed = isListed(allow, hostOfAddress(hostname), port);
    const addresses = isIP(hostname) === 0 ? await lookUp(hostname, listed, signal) : [hostname];
    const mayConnect = (address: string) =>
      isPublicAddress(address) || isListed(allow, hostOfAddress(address), port);
    if (!listed && !addresses.every(mayConnect))
      throw new OutboundError('address_not_allowed', "The host's address is not on the public internet.");
    return addresses;
  }

  async function lookUp(hostname: string, listed: boolean, signal: AbortSignal): Promise<string[]> {
    const { promise: cancellation, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason as OutboundError);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const addresses = await Promise.race([resolve(hostname, listed), cancellation]);
      if (addresses.length === 0) throw new OutboundError('name_not_found', 'The host name has no address.');
      return addresses;
    } catch (error) {
      throw error instanceof OutboundError ? error : nameFailure(error);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  function secure(target: buildConnector.Options, socket: Socket, signal: AbortSignal): Promise<Socket> {
    return new Promise((done, fail) => {
      const stop = (error: OutboundError) => {
        socket.destroy();
        fail(error);
      };
      signal.addEventListener('abort', () => stop(signal.reason as OutboundError), { once: true });
      startTls({ ...target, httpSocket: socket }, (error, secured) => {
        if (error) stop(tlsFailure(error));
        else done(secured);
      });
    });
  }

  return {
    connect(target, callback) {
      open(target).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    },
    stop(reason) {
      for (const giveUp of underWay) giveUp.abort(reason);
    },
  };
}

/** Connects to one of the checked addresses without a second lookup, and verifies the remote address before the socket is used. */
async function openTcp(
  target: buildConnector.Options,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connectTcp({
    host: target.hostname,
    port: portOf(target),
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    lookup: (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
  });
  // The user of the socket adds its own listener. Until then, an error must not end the process.
  socket.on('error', () => {});
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : connectFailure(error);
  }
  const reached = hostOfAddress(socket.remoteAddress ?? '');
  if (addresses.some((address) => hostOfAddress(address) === reached)) return socket;
  socket.destroy();
  throw new OutboundError(
    'address_not_allowed',
    'The connection reached a different address than the one that was checked.',
  );
}
