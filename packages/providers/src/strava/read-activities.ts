import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf, listOf } from '../mapping/read.ts';
import type { Documents, Span, UserApi } from '../provider.ts';

const pageSize = 200;

/** Activities that began in a span, each with its heart rate. They are yielded one by one, so that little is read again after a limit. */
export async function* readActivities(api: UserApi, { fromMs, toMs }: Span): AsyncGenerator<Documents> {
  // Both bounds are exclusive.
  const range = { after: Math.max(0, Math.floor(fromMs / 1000) - 1), before: Math.ceil(toMs / 1000) };
  for (let page = 1; ; page += 1) {
    const query = { ...range, page, per_page: pageSize };
    const response = await api.send({ method: 'GET', url: addressOf(api, '/athlete/activities'), query });
    const listed = listOf(jsonOf(response));
    for (const summary of listed) {
      const id = idOf(fieldsOf(summary)['id']);
      const documents = id === null ? [] : await readActivity(api, id);
      if (documents.length > 0) yield documents;
    }
    // A page may lack a few activities although more follow. One that is far from full is the last, which saves a call.
    if (listed.length < pageSize / 2) return;
  }
}

/** A single activity, the only form that includes calories, with its heart rate: two calls. */
export async function readActivity(api: UserApi, id: string): Promise<Documents> {
  const path = `/activities/${encodeURIComponent(id)}`;
  const activity = await find(api, path);
  if (activity === null) return [];
  const hasHeartRate = fieldsOf(activity)['has_heartrate'] === true;
  const query = { keys: 'time,heartrate', key_by_type: 'true' };
  return [{ activity, streams: hasHeartRate ? await find(api, `${path}/streams`, query) : null }];
}

async function find(api: UserApi, path: string, query: Readonly<Record<string, string>> = {}) {
  try {
    return jsonOf(await api.send({ method: 'GET', url: addressOf(api, path), query }));
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'gone') return null;
    throw error;
  }
}

function addressOf({ app }: UserApi, path: string): string {
  return `${app.hosts['www']}/api/v3${path}`;
}
