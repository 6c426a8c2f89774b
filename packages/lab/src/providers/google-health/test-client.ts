import type { Lab } from '../../lab-type.ts';
import { connect, credentialsOf, type Connection, type Json } from '../../test/connect-person.ts';
import { policy } from './policy.ts';

/** Requests a refresh token, as servers do. */
export const endpoints = {
  authorize: '/google_health/accounts/o/oauth2/v2/auth?access_type=offline&prompt=consent',
  token: '/google_health/oauth2/token',
};
export const usersMe = '/google_health/health/v4/users/me';

/** Connects a person with every scope. */
export function connectAll(lab: Lab, person: string): Promise<Connection> {
  return connect(lab, endpoints, person, policy.scopes);
}

/** The URL of the data points of a type, with a query. */
export function pointsPath(type: string, query: Record<string, string> = {}, verb = ''): string {
  return `${usersMe}/dataTypes/${type}/dataPoints${verb}?${new URLSearchParams(query).toString()}`;
}

/** Reads all pages and counts them. */
export async function readAll(
  connection: Connection,
  type: string,
  query: Record<string, string>,
  verb = '',
): Promise<{ points: Json[]; pages: number[] }> {
  const points: Json[] = [];
  const pages: number[] = [];
  let pageToken: string | undefined;
  do {
    const path = pointsPath(type, { ...query, ...(pageToken && { pageToken }) }, verb);
    const { status, body } = await connection.get(path);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    points.push(...(body.dataPoints ?? []));
    pages.push(body.dataPoints?.length ?? 0);
    pageToken = body.nextPageToken;
  } while (pageToken !== undefined && pages.length < 100);
  return { points, pages };
}

/** Sends JSON with a token. */
export async function sendJson(
  method: string,
  url: string,
  token: string,
  body?: Json,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** The token with which an app manages its subscribers. */
export async function projectToken(lab: Lab, more: Record<string, string> = {}): Promise<Json> {
  const response = await fetch(`${lab.url}${endpoints.token}`, {
    method: 'POST',
    body: new URLSearchParams({
      ...credentialsOf(lab),
      grant_type: 'client_credentials',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      ...more,
    }),
  });
  return { status: response.status, body: await response.json() };
}
