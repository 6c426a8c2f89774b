import { setImmediate as turn } from 'node:timers/promises';
import { minuteMs } from '@tributary/domain';
import { Pool } from 'undici';
import { checkUrl } from './check-url.ts';
import { createConnector } from './connect.ts';
import { exchange, type OutboundResponse, type OutboundRequest } from './exchange.ts';
import { OutboundError } from './outbound-error.ts';
import { createResolve, type Resolve } from './resolve-name.ts';

// A safety limit. The caller decides how many requests go to one host at once, and endpoints that share a host must not wait for one another here.
const connectionsPerOrigin = 256;

const mostOrigins = 1_000;

// An idle connection closes after this time. A busy one closes after a minute, so that a host that moved is followed.
const idleMs = 10_000;
const connectionLifeMs = minuteMs;

const mostHeaderBytes = 16_384;

export interface OutboundOptions {
  /** Normalized hosts that are allowed although they are not public: see `OUTBOUND_ALLOW`. */
  allow: readonly string[];
  resolve?: Resolve;
}

/** Sends every request that the service makes to the outside. */
export interface Outbound extends AsyncDisposable {
  /** Sends a request. Redirects are returned, not followed. Fails with an OutboundError. */
  send(request: OutboundRequest): Promise<OutboundResponse>;
}

export function createOutbound({ allow, resolve = createResolve() }: OutboundOptions): Outbound {
  const connector = createConnector(allow, resolve);
  // Least recently used first.
  const pools = new Map<string, Pool>();
  const leaving = new Set<Pool>();
  let disposed = false;

  function poolOf(origin: string): Pool {
    const pool = pools.get(origin) ?? createPool(origin);
    pools.delete(origin);
    pools.set(origin, pool);
    const [oldest] = pools;
    if (pools.size > mostOrigins && oldest) retire(...oldest);
    return pool;
  }

  function createPool(origin: string): Pool {
    return new Pool(origin, {
      connect: connector.connect,
      connections: connectionsPerOrigin,
      allowH2: false,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      clientTtl: connectionLifeMs,
      maxHeaderSize: mostHeaderBytes,
      // The caller limits the total time of each request.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Lets open requests finish, then closes the connections. */
  function retire(origin: string, pool: Pool): void {
    pools.delete(origin);
    leaving.add(pool);
    void pool.close().finally(() => leaving.delete(pool));
  }

  return {
    async send(request) {
      if (disposed) throw stopped();
      // Checked again even for stored URLs: the rules may have changed since.
      const checked = checkUrl(request.url, allow);
      if (!checked.ok) throw new OutboundError('invalid_url', checked.problem);
      const response = await exchange(poolOf(checked.url.origin), checked.url, request);
      // The connection becomes free in the next event loop iteration. A caller that sends again immediately should reuse it and not open a second
      // one.
      await turn();
      return response;
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      connector.stop(stopped());
      await Promise.all([...pools.values(), ...leaving].map((pool) => pool.destroy(stopped())));
    },
  };
}

function stopped(): OutboundError {
  return new OutboundError('stopped', 'The service canceled the request.');
}
