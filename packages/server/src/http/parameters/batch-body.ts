import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';
import { ApiError, batchLimits } from '@tributary/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badBody } from '../frame/errors.ts';
import { isTooDeep } from './json-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The received and decompressed body, on routes that keep it. */
    bodyBytes: Buffer | null;
  }
}

const byteOrderMark = Buffer.from('\ufeff');
const unpackers = { gzip: promisify(gunzip), zstd: promisify(zstdDecompress) };

/** Parses uploads, compressed or not, and keeps their bytes. Decompression stops at the limit, regardless of the compressed size. */
export function installBatchBody(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'ignore');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: batchLimits.bytes },
    async (request: FastifyRequest, body: Buffer) => {
      const bytes = withoutMark(await unpack(request.headers['content-encoding'], body));
      const text = bytes.toString();
      if (text === '') throw badBody('This endpoint requires a JSON body.');
      if (isTooDeep(text)) throw badBody('The body is nested too deeply.');
      request.bodyBytes = bytes;
      return new Promise((resolve, reject) => {
        void parse(request, text, (error, value) =>
          error ? reject(badBody('The body is not valid JSON.')) : resolve(value),
        );
      });
    },
  );
}

async function unpack(encoding: string | undefined, body: Buffer): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return body;
  const name = encoding.toLowerCase();
  const unpacker = name === 'gzip' || name === 'zstd' ? unpackers[name] : null;
  if (!unpacker) throw badBody('The content encoding is not supported. Use `gzip` or `zstd`.');
  try {
    return await unpacker(body, { maxOutputLength: batchLimits.bytes, chunkSize: pieceFor(body) });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw new ApiError('payload_too_large');
    throw badBody(`The body is not valid ${name}.`);
  }
}

/** Each chunk waits for its own event loop iteration. On a busy node, hundreds of small chunks would take seconds. */
function pieceFor({ length }: Buffer): number {
  return Math.min(Math.max(length * 16, 16 * 1024), 1024 * 1024);
}

/** The parser skips a byte order mark; code that parses the stored bytes later would not. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
}
