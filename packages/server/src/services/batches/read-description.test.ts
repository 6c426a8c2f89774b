import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readDescription } from './read-description.ts';

const device = { provider: 'oura', id: 'cloud', kind: 'ring' };
const pack = (body: object) => zstdCompressSync(Buffer.from(JSON.stringify(body)));
const documents = pack({
  device,
  stream: 'sleep',
  documents: [{ score: 81 }, { score: 82 }],
  deleted: ['x'],
});
const upload = pack({ batch_id: 'b', device, daily: [{ value: 5 }], documents: [1, 2, 3] });

test.each([
  ['documents', documents, { documents: 2, deleted: 1 }],
  ['upload', upload, { series: 0, records: 0, daily: 1, sleep: 0, workouts: 0, deletions: 0 }],
] as const)(
  'counts the items of a batch of kind %s, also where the row does not name it',
  (kind, payload, counts) => {
    const described = { batchKind: kind, provider: 'oura', deviceId: 'cloud', kind: 'ring', counts };
    expect(readDescription({ kind, payload })).toEqual(described);
    expect(readDescription({ kind: null, payload })).toEqual(described);
  },
);

test('returns null for a corrupt payload', () => {
  expect(readDescription({ kind: 'upload', payload: Buffer.from('x') })).toBeNull();
});
