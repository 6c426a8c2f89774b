import { gzipSync, zstdCompressSync } from 'node:zlib';

/** A request before it is sent: as much of HTTP as a client can get wrong. */
export interface FuzzRequest {
  kind: 'valid' | 'near' | 'hostile';
  /** What was done to a valid request, for the report. */
  twist: string;
  /** The operation that it asks for; null when it asks for none. */
  operationId: string | null;
  method: string;
  /** As it goes over the wire. */
  path: string;
  query: [string, string][];
  /** Sent instead of `query`, as it is. */
  rawQuery?: string;
  headers: Record<string, string | string[]>;
  body?: unknown;
  /** Sent instead of `body`, as it is. */
  rawBody?: string | Buffer;
  /** How the body is packed on its way, whatever the headers say. */
  packing?: 'gzip' | 'zstd';
  /** A `rawBody` that the service must not take; another one may have come in its place. */
  tooMuch?: string | Buffer;
}

export interface FuzzAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Whether an answer goes on as server-sent events. */
export function isStream(headers: FuzzAnswer['headers']): boolean {
  return String(headers['content-type']).startsWith('text/event-stream');
}

/** The path with its query. */
export function targetOf({ path, query, rawQuery }: FuzzRequest): string {
  const text =
    rawQuery ?? query.map(([name, value]) => `${escapeWhole(name)}=${escapeWhole(value)}`).join('&');
  return text === '' ? path : `${path}?${text}`;
}

/** Percent-encoding that also takes broken surrogate pairs: as the bytes that a careless client would send. */
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

/** The body as it goes over the wire. */
export function bytesOf(request: FuzzRequest): string | Buffer | undefined {
  const body = bodyOf(request);
  if (body === undefined || !request.packing) return body;
  return request.packing === 'gzip' ? gzipSync(body) : zstdCompressSync(body);
}
