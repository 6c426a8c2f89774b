import { call, type CallOptions, type Environment, type Method } from './client.ts';

/** Calls the public API for one environment and requests Form 2, regardless of the account's default form. */
export function callPublic<Body>(
  environment: Environment,
  method: Method,
  path: string,
  options: Omit<CallOptions, 'environment' | 'headers'> = {},
): Promise<Body> {
  return call<Body>(method, `/v1${path}`, { ...options, environment, headers: { 'api-form': '2' } });
}

/** The path of one user in the public API. */
export function userPath(id: string): string {
  return `/users/${encodeURIComponent(id)}`;
}
