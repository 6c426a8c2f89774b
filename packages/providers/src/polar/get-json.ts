import { jsonOf, ProviderFailure } from '../failure.ts';
import type { Call, UserApi } from '../provider.ts';

/** The JSON at a path. Null for 204, which means no data, or if it is gone. */
export async function getJson(api: UserApi, path: string, query?: Call['query']): Promise<unknown> {
  const call: Call = { method: 'GET', url: `${api.app.hosts['www']}/v3${path}`, ...(query && { query }) };
  try {
    const response = await api.send({ ...call, headers: { accept: 'application/json' } });
    return response.status === 204 ? null : jsonOf(response);
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'gone') return null;
    throw error;
  }
}
