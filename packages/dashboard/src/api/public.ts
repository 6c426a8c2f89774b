import { call, type CallOptions, type Environment, type Method } from './client.ts';

/** A call of the public API on the data of one environment, answered by columns whatever form the account has chosen. */
export function callPublic<Answer>(
  environment: Environment,
  method: Method,
  path: string,
  options: Omit<CallOptions, 'environment' | 'headers'> = {},
): Promise<Answer> {
  return call<Answer>(method, `/v1${path}`, { ...options, environment, headers: { 'api-form': '2' } });
}

/** The address of one user in the public API. */
export function userPath(id: string): string {
  return `/users/${encodeURIComponent(id)}`;
}
