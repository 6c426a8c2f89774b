import { Client, type FeedTenant, type Random, type RunStack } from '@tributary/rig';
import { chooseFilter } from './kinds.ts';
import { StreamReader, type ReaderOptions } from './reader.ts';

const fromNowPart = 0.4;
const disconnectProbability = 0.3;

/** Creates readers for all tenants, half of them on each node. Some start now, the others at an earlier position. */
export async function createReaders(
  run: RunStack,
  tenants: readonly FeedTenant[],
  count: number,
  random: Random,
  onEvent: ReaderOptions['onEvent'],
): Promise<StreamReader[]> {
  const nodes = run.api.map(({ baseUrl }) => baseUrl);
  const places = await Promise.all(tenants.map(({ key }) => listCursors(nodes[0]!, key, random)));
  return Array.from({ length: count }, (_, at) => {
    const own = random.fork(at);
    const tenant = at % tenants.length;
    return new StreamReader({
      nodes,
      home: own.int(0, nodes.length - 1),
      key: tenants[tenant]!.key,
      tenant,
      filter: chooseFilter(own),
      cursor: own.chance(fromNowPart) ? null : own.pick(places[tenant]!),
      breakProbability: disconnectProbability,
      random: own,
      onEvent,
    });
  });
}

/** Cursors from all over the feed, obtained by paging as a client does. */
async function listCursors(node: string, key: string, random: Random): Promise<string[]> {
  using client = new Client();
  const cursors: string[] = [];
  for (let hasMore = true; hasMore;) {
    const limit = random.int(1, 60);
    const cursor = cursors.length === 0 ? '' : `&cursor=${cursors.at(-1)}`;
    const { body } = await client.send({ node, path: `/v1/events?limit=${limit}${cursor}`, key });
    const page = JSON.parse(body) as { cursor: string; has_more: boolean };
    cursors.push(page.cursor);
    hasMore = page.has_more;
  }
  return cursors;
}
