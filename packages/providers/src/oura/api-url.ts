import type { App } from '../provider.ts';

/** An address of the API, at Oura or in a lab. */
export function apiUrl({ hosts }: App, path: string): string {
  return `${hosts['api']}${path}`;
}
