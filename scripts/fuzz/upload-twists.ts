import { gzipSync, zstdCompressSync } from 'node:zlib';
import { batchLimits } from '@tributary/contract';
import { nastyTexts, wrongValues } from './bad-values.ts';
import type { Twist } from './twist.ts';
import type { Random } from '@tributary/rig';
import { bodyOf, type FuzzRequest } from './request.ts';

const start = '2026-03-02T07:00:00Z';
const many = (count: number, item: object) => Array.from({ length: count }, () => item);
const series = { metric: 'heart_rate', start, interval_seconds: 1 };

/** Lists that each exceed the limits of an upload. */
const tooMuch: object[] = [
  { series: [{ ...series, values: Array.from({ length: batchLimits.values + 1 }, () => 60) }] },
  { series: many(3, { ...series, values: Array.from({ length: 7_000 }, () => 60) }) },
  { series: many(1_001, { ...series, values: [60] }) },
  { daily: many(batchLimits.values + 1, { metric: 'steps', date: '2026-03-01', value: 1 }) },
  { sleep: many(501, { id: 'a', start, end: '2026-03-02T08:00:00Z' }) },
  { deletions: many(batchLimits.values + 1, { kind: 'record', id: 'a' }) },
];

const oddTimes = [
  '2016-12-31T23:59:60Z',
  '2026-03-02T07:14:30+05',
  '2026-03-02T07:14:30+05:30',
  '2026-03-02T07:14:30-00:00',
  '2026-03-02 07:14:30Z',
  '2026-03-02t07:14:30z',
  '2026-03-02T07:14:30.123456789012Z',
  '2026-03-02T24:00:00Z',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-23:59',
  '+275760-09-13T00:00:00Z',
];
const oddNumbers = ['1e999', '-1e999', '1e308', '-1e308', '4.9e-324', '-0', '9007199254740993', '1e-7'];

const large = Buffer.from(`{"x":"${'x'.repeat(batchLimits.bytes)}"}`);
const bomb = Buffer.alloc(8 * batchLimits.bytes, ' ');
const overBound = [
  { bytes: large, encoding: 'identity' },
  { bytes: gzipSync(large), encoding: 'gzip' },
  { bytes: gzipSync(bomb), encoding: 'gzip' },
  { bytes: zstdCompressSync(bomb), encoding: 'zstd' },
];

/** Each of these makes one part of an upload wrong. */
export const nearUploadTwists: Record<string, Twist> = {
  'wrong part of an upload': (request, random) =>
    changePart(request, random, () => true, random.pick(wrongValues)),
  'another upload under a known id': (request, random, _world, tenant) => {
    if (!isUpload(request)) return false;
    (request.body as Record<string, unknown>)['batch_id'] = random.pick(tenant.batches).id;
  },
  'more than an upload may hold': (request, random) => {
    if (!isUpload(request)) return false;
    request.tooMuch = JSON.stringify({ ...(request.body as object), ...random.pick(tooMuch) });
    request.rawBody = request.tooMuch;
  },
};

/** Uploads that try to crash the worker that processes them. */
export const hostileUploadTwists: Record<string, Twist> = {
  'nasty text in an upload': (request, random) =>
    changePart(request, random, (_key, value) => typeof value === 'string', random.pick(nastyTexts)),
  'odd time in an upload': (request, random) => {
    const time = random.pick(oddTimes);
    if (random.chance(0.7)) return changePart(request, random, (key) => timeKeys.has(key), time);
    if (!isUpload(request)) return false;
    (request.body as Record<string, unknown>)[random.pick(['created_at', 'sent_at'])] = time;
  },
  'odd number in an upload': (request, random) => {
    const mark = `mark-${random.word(8)}`;
    const changed = changePart(request, random, (_key, value) => typeof value === 'number', mark);
    if (!changed) return false;
    request.rawBody = JSON.stringify(request.body).replace(`"${mark}"`, random.pick(oddNumbers));
  },
  'byte order mark before an upload': (request) => {
    if (!isUpload(request)) return false;
    request.rawBody = `\ufeff${JSON.stringify(request.body)}`;
  },
  'odd packing': (request, random) => {
    if (!isUpload(request)) return false;
    const text = bodyOf(request)!;
    const gzip = gzipSync(text);
    delete request.packing;
    const [bytes, encoding] = random.pick<[Buffer | string, string]>([
      [gzip.subarray(0, -5), 'gzip'],
      [zstdCompressSync(text).subarray(0, -5), 'zstd'],
      [Buffer.concat([gzip, Buffer.from('more')]), 'gzip'],
      [Buffer.concat([gzip, gzip]), 'gzip'],
      [gzipSync(gzip), 'gzip, gzip'],
      [gzip, 'zstd'],
      [gzip, 'GZIP'],
      [gzip, 'x-gzip'],
      [gzip, 'br'],
      [gzip, ''],
      [text, 'identity'],
      [text, 'gzip'],
      ['', 'gzip'],
    ]);
    request.rawBody = bytes;
    request.headers['content-encoding'] = encoding;
  },
  'upload over its bound': (request, random) => {
    if (!isUpload(request)) return false;
    const { bytes, encoding } = random.pick(overBound);
    request.tooMuch = bytes;
    request.rawBody = bytes;
    delete request.packing;
    request.headers['content-encoding'] = encoding;
  },
};

const timeKeys = new Set(['start', 'end', 'date', 'created_at', 'sent_at']);

/** Whether it is an upload whose body is not serialized yet. */
function isUpload({ operationId, body, rawBody }: FuzzRequest): boolean {
  const isWhole = typeof body === 'object' && body !== null && !Array.isArray(body);
  return operationId === 'createBatch' && rawBody === undefined && isWhole;
}

/** Replaces a valid value anywhere in an upload. */
function changePart(
  request: FuzzRequest,
  random: Random,
  fits: (key: string, value: unknown) => boolean,
  value: unknown,
): boolean {
  if (!isUpload(request)) return false;
  const places = placesIn(request.body).filter(({ holder, key }) => fits(key, holder[key]));
  if (places.length === 0) return false;
  const { holder, key } = random.pick(places);
  holder[key] = value;
  return true;
}

function placesIn(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}
