import { gzipSync, zstdCompressSync } from 'node:zlib';

/** A request before it is sent, with every part of HTTP that a client can get wrong. */
export interface FuzzRequest {
  kind: 'valid' | 'near' | 'hostile';
  /** How a valid request was changed, for the report. */
  twist: string;
  /** The operation that it requests, or null if none. */
  operationId: string | null;
  method: string;
  /** As sent. */
  path: string;
  query: [string, string][];
  /** Sent unchanged instead of `query`. */
  rawQuery?: string;
  headers: Record<string, string | string[]>;
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  rawBody?: string | Buffer;
  /** The actual compression of the body, whatever the headers say. */
  packing?: 'gzip' | 'zstd';
  /** A `rawBody` that the service must reject. A later twist may have replaced it. */
  tooMuch?: string | Buffer;
}

export interface FuzzResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Whether a response is a stream of server-sent events. */
export function isStream(headers: FuzzResponse['headers']): boolean {
  return String(headers['content-type']).startsWith('text/event-stream');
}

/** The path with its query. */
export function targetOf({ path, query, rawQuery }: FuzzRequest): string {
  const text =
    rawQuery ?? query.map(([name, value]) => `${escapeWhole(name)}=${escapeWhole(value)}`).join('&');
  return text === '' ? path : `${path}?${text}`;
}

/** Percent-encoding that also accepts broken surrogate pairs, as the bytes that a careless client would send. */
export function escapeWhole(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : Array.from(text)
        .map((part) => (part.isWellFormed() ? encodeURIComponent(part) : '%ED%A0%80'))
        .join('');
}

export function bodyOf({ body, rawBody }: FuzzRequest): string | Buffer | undefined {
  return rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
}

/** The body as sent. */
export function bytesOf(request: FuzzRequest): string | Buffer | undefined {
  const body = bodyOf(request);
  if (body === undefined || !request.packing) return body;
  return request.packing === 'gzip' ? gzipSync(body) : zstdCompressSync(body);
}
