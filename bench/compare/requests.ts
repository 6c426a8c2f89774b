import type { RawRequest } from '@tributary/rig';
import { getAs, getDaily, type Person } from '../reads/people.ts';
import type { KeyRequests } from './flood.ts';
import type { Side } from './side.ts';

/** A request to compare, and the bare route that it is measured against. */
export interface Comparison {
  title: string;
  status: number;
  /** The program of the bare route, a file in the bench folder. */
  bareProgram: string;
  requestsOf: (side: Side) => Promise<KeyRequests[]>;
  bareRequestsOf: (side: Side) => KeyRequests[];
}

/** A request for each user, grouped by the key of the user's account. */
function byKey({ people }: Side, toRequest: (person: Person) => RawRequest): KeyRequests[] {
  return [...Map.groupBy(people, ({ account }) => account).values()].map((some) => some.map(toRequest));
}

const daily = {
  bareProgram: 'reads/bare.ts',
  bareRequestsOf: (side: Side): KeyRequests[] =>
    byKey(side, ({ account, uuid }) => ({ path: `/daily/${account.uuid}/${uuid}/30` })),
};

/** All comparisons, by the name that `--only` takes. */
export const comparisons: Record<string, Comparison> = {
  frame: {
    title: 'GET /v1/users/{id}',
    status: 200,
    bareProgram: 'frame-bare.ts',
    requestsOf: async (side) => byKey(side, (person) => getAs(person, person.path)),
    bareRequestsOf: (side) => byKey(side, ({ account, uuid }) => ({ path: `/${account.uuid}/${uuid}` })),
  },
  daily: {
    ...daily,
    title: 'daily, 10 metrics × 30 days',
    status: 200,
    requestsOf: async (side) => byKey(side, (person) => getDaily(person)),
  },
  unchanged: {
    ...daily,
    title: 'daily, 304',
    status: 304,
    requestsOf: requestsWithTags,
  },
};

/** Daily requests with the current ETag of their response. */
async function requestsWithTags(side: Side): Promise<KeyRequests[]> {
  const tags = new Map<Person, string>();
  for (const person of side.people) {
    const { path, headers = {} } = getDaily(person);
    const response = await fetch(`${side.url}${path}`, { headers });
    await response.arrayBuffer();
    tags.set(person, response.headers.get('etag')!);
  }
  return byKey(side, (person) => getDaily(person, { 'if-none-match': tags.get(person)! }));
}
