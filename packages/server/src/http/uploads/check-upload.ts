import { createHash } from 'node:crypto';
import { gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ApiError, batchLimits, batchLists, operations, type BatchWire } from '@tributary/contract';
import { countDays, countValues } from '@tributary/domain';
import { parse } from 'secure-json-parse';
import type { CheckedUpload } from '../../services/batches/checked-upload.ts';
import { badBody } from '../frame/errors.ts';
import { compileSchema, toApiError } from '../frame/validation.ts';
import { isTooDeep } from '../parameters/json-body.ts';

const byteOrderMark = Buffer.from('\ufeff');
const unpackers = { gzip: gunzipSync, zstd: zstdDecompressSync };
const validate = compileSchema(operations.createBatch.body);

/**
 * Decompresses, parses and validates the body of an upload. Throws the error that the client gets. Decompression stops at `mostBytes`, regardless of
 * the compressed size.
 */
export function checkUpload(
  body: Uint8Array,
  encoding: string | undefined,
  mostBytes: number = batchLimits.bytes,
): CheckedUpload {
  const bytes = withoutMark(
    unpack(Buffer.from(body.buffer, body.byteOffset, body.length), encoding, mostBytes),
  );
  const text = bytes.toString();
  if (text === '') throw badBody('This endpoint requires a JSON body.');
  if (isTooDeep(text)) throw badBody('The body is nested too deeply.');
  const batch = parseJson(text);
  if (!validate(batch)) throw toApiError(validate.errors ?? [], 'body');
  const { ...head } = batch as BatchWire;
  for (const list of batchLists) delete head[list];
  return {
    head,
    values: countValues(batch as BatchWire),
    days: countDays(batch as BatchWire),
    digest: createHash('sha256').update(bytes).digest(),
    payload: zstdCompressSync(bytes),
  };
}

function unpack(body: Buffer, encoding: string | undefined, mostBytes: number): Buffer {
  if (encoding === undefined || encoding === 'identity') return body;
  const name = encoding.toLowerCase();
  const unpacker = name === 'gzip' || name === 'zstd' ? unpackers[name] : null;
  if (!unpacker) throw badBody('The content encoding is not supported. Use `gzip` or `zstd`.');
  try {
    return unpacker(body, { maxOutputLength: mostBytes });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw new ApiError('payload_too_large');
    throw badBody(`The body is not valid ${name}.`);
  }
}

/** Rejects `__proto__` like the parser of all other bodies. */
function parseJson(text: string): unknown {
  try {
    return parse(text, { protoAction: 'error', constructorAction: 'ignore' });
  } catch {
    throw badBody('The body is not valid JSON.');
  }
}

/** The parser skips a byte order mark; code that parses the stored bytes later would not. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
}
