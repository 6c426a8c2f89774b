import { lookup, Resolver } from 'node:dns/promises';

// The library shortens the first try to a quarter of a second once a server has shown that it is quick, and doubles each
// further one. Five of them give a name that takes its time most of what a connection may take.
const firstTryMs = 2_000;
const tries = 5;

/** Answers with every address of a host. `listed` tells that the operator opened the host. */
export type Resolve = (hostname: string, listed: boolean) => Promise<string[]>;

/**
 * Asks DNS itself: the look-up of the operating system waits in one of few threads, where names that nobody answers for
 * would hold up all others. Hosts that the operator opened may be known to the machine alone, so they are looked up there.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: firstTryMs, tries: tries });
  if (servers) resolver.setServers(servers);

  return async (hostname, listed) => {
    if (listed) return (await lookup(hostname, { all: true })).map(({ address }) => address);
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
