import { lookup, Resolver } from 'node:dns/promises';

// The library shortens the first attempt to 250 ms once a server has proven fast, and doubles each further one. Five attempts give a slow name most
// of the time that a connection may take.
const firstTryMs = 2_000;
const tries = 5;

/** Resolves a host name to all its addresses. `listed` says that the operator allowed the host. */
export type Resolve = (hostname: string, listed: boolean) => Promise<string[]>;

/**
 * Queries DNS directly. The lookup of the operating system blocks one of a few threads, where unresponsive names would delay all others. Hosts that
 * the operator allowed may be known only to the machine, so the operating system resolves those.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: firstTryMs, tries });
  if (servers) resolver.setServers(servers);

  return async (hostname, listed) => {
    if (listed) return (await lookup(hostname, { all: true })).map(({ address }) => address);
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };
}
