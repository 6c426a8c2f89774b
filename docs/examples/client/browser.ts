// Shows today's steps in a web page. The page's own backend issues the user token.
import { TributaryUser } from '@tributary/client';

const client = new TributaryUser({
  baseUrl: 'https://health.example.com',
  form: 2,
  // Called again when the token has expired, once for all requests that wait for it.
  userToken: async () => (await fetch('/tributary-token', { method: 'POST' })).text(),
  cachedResponses: 50,
});

/** The steps of the last day; null if there are none. */
export async function readSteps(userId: string): Promise<number | null> {
  const { series } = await client.daily.list(userId, { types: ['steps'] });
  return series['steps']?.at(-1) ?? null;
}
