import type { App } from '../provider.ts';

/** A URL of the API, at Oura or in a lab. */
export function apiUrl({ hosts }: App, path: string): string {
  return `${hosts['api']}${path}`;
}
