import type { RawRequest } from '@tributary/rig';
import { getAs, getDaily } from '../reads/people.ts';
import type { Side } from './side.ts';

/** A request that is compared, and the bare route beside which it is measured. */
export interface Comparison {
  title: string;
  status: number;
  /** The program of the bare route, a file of the bench. */
  bareProgram: string;
  requestsOf: (side: Side) => Promise<RawRequest[]>;
  bareRequestsOf: (side: Side) => RawRequest[];
}

const daily = {
  bareProgram: 'reads/bare.ts',
  bareRequestsOf: ({ people }: Side): RawRequest[] =>
    people.map(({ account, uuid }) => ({ path: `/daily/${account.uuid}/${uuid}/30` })),
};

/** Everything that can be compared, by the name that `--only` takes. */
export const comparisons: Record<string, Comparison> = {
  frame: {
    title: 'GET /v1/users/{id}',
    status: 200,
    bareProgram: 'frame-bare.ts',
    requestsOf: async ({ people }) => people.map((person) => getAs(person, person.path)),
    bareRequestsOf: ({ people }) => people.map(({ account, uuid }) => ({ path: `/${account.uuid}/${uuid}` })),
  },
  daily: {
    ...daily,
    title: 'daily, 10 metrics × 30 days',
    status: 200,
    requestsOf: async ({ people }) => people.map((person) => getDaily(person)),
  },
  unchanged: {
    ...daily,
    title: 'the same, 304',
    status: 304,
    requestsOf: requestsWithTags,
  },
};

/** Daily requests that name the current tag of their response. */
async function requestsWithTags({ url, people }: Side): Promise<RawRequest[]> {
  const tagged: RawRequest[] = [];
  for (const person of people) {
    const { path, headers = {} } = getDaily(person);
    const response = await fetch(`${url}${path}`, { headers });
    await response.arrayBuffer();
    tagged.push(getDaily(person, { 'if-none-match': response.headers.get('etag')! }));
  }
  return tagged;
}
