import { inactiveSeconds } from './activity.ts';
import { ApiFailure } from './failure.ts';

export type Environment = 'live' | 'sandbox';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Query = Record<string, string | number | boolean | null | undefined>;

export interface CallOptions {
  query?: Query;
  body?: unknown;
  /** The environment of the data. Requests about the whole account have none. */
  environment?: Environment;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Calls our own server with the session cookie. A response without a body is null. */
export async function call<Body>(method: Method, path: string, options: CallOptions = {}): Promise<Body> {
  const response = await request(method, path, options);
  if (!response.ok) throw await readFailure(response);
  const text = await response.text();
  return (text === '' ? null : JSON.parse(text)) as Body;
}

/** Returns the raw response. Throws only if there is none. */
export async function request(method: Method, path: string, options: CallOptions): Promise<Response> {
  const { query, body, environment, headers, signal } = options;
  try {
    return await fetch(path + searchOf(query), {
      method,
      credentials: 'same-origin',
      redirect: 'error',
      headers: {
        accept: 'application/json',
        'tributary-inactive': String(inactiveSeconds()),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(environment && { 'tributary-environment': environment }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiFailure({
      status: 0,
      code: 'unreachable',
      message: 'The server did not respond. Check your connection and try again.',
      cause,
    });
  }
}

/** Returns the query string with its question mark, or an empty string. */
export function searchOf(query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? '' : `?${search}`;
}

export async function readFailure(response: Response): Promise<ApiFailure> {
  const body = await readBody(response);
  const wait = Number(response.headers.get('retry-after'));
  return new ApiFailure({
    status: response.status,
    code: body.error ?? `http_${response.status}`,
    message: body.message ?? `The server returned ${response.status}.`,
    details: body.details,
    requestId: response.headers.get('request-id'),
    retryAfterSeconds: Number.isFinite(wait) && wait > 0 ? wait : null,
  });
}

interface FailureBody {
  error?: string;
  message?: string;
  details?: Record<string, unknown>;
}

async function readBody(response: Response): Promise<FailureBody> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
