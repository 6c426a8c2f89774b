import { isSameSecret } from '../is-same-secret.ts';
import { fieldsOf, listOf, textOf, type Fields } from '../mapping/read.ts';
import type { Notice, Push } from '../provider.ts';
import { streams } from './streams.ts';

const streamNames = new Set(streams.map(({ name }) => name));

/** Pushes, whose URLs are entered in Garmin's portal. They are not signed. Only the secret in the URL and the app id authenticate them. */
export const push: Push = {
  setUp: null,

  respond: async ({ method, headers }, { api }) => {
    if (method !== 'POST') return { status: 405, keep: false };
    if (!isSameSecret(headers['garmin-client-id'] ?? '', api.app.clientId))
      return { status: 401, keep: false };
    return { status: 200, keep: true };
  },

  notices: (body) =>
    Object.entries(fieldsOf(parsed(body))).flatMap(([key, list]): Notice[] => {
      const rows = listOf(list).map(fieldsOf);
      if (key === 'deregistrations')
        return rows.flatMap((row): Notice[] => {
          const userId = textOf(row['userId']);
          return userId === null ? [] : [{ kind: 'revoked', userId }];
        });
      return streamNames.has(key) ? dataOf(key, rows) : [];
    }),
};

/** The rows of each user. Pings carry no data and are ignored. */
function dataOf(stream: string, rows: readonly Fields[]): Notice[] {
  const dataRows = rows.filter((row) => textOf(row['userId']) !== null && row['callbackURL'] === undefined);
  return [...Map.groupBy(dataRows, (row) => textOf(row['userId']) ?? '')].map(([userId, mine]) => ({
    kind: 'data',
    userId,
    stream,
    documents: mine.map(withoutToken),
  }));
}

/** Pushes of older apps contain the user's token, which must not be stored. */
function withoutToken(row: Fields): Fields {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'userAccessToken'));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
