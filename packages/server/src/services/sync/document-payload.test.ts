import { zstdDecompressSync } from 'node:zlib';
import { findProvider } from '@tributary/providers';
import { expect, test } from 'vitest';
import { packDocuments, readDocuments } from './document-payload.ts';

/** Packs the deletion of two documents and maps it to our data model. */
function deletionsOf(provider: string, stream: string): unknown {
  const [packed] = packDocuments(findProvider(provider)!, stream, { deleted: ['a', 'b'] });
  return readDocuments(JSON.parse(zstdDecompressSync(packed!.payload).toString())).deletions;
}

test('deletes everything that is stored under the id of a deleted document', () => {
  expect(deletionsOf('oura', 'workout')).toEqual([
    { kind: 'workout', id: 'a' },
    { kind: 'workout', id: 'b' },
  ]);
  expect(deletionsOf('whoop', 'sleep')).toEqual([
    { kind: 'sleep', id: 'a' },
    { kind: 'record', id: 'a' },
    { kind: 'sleep', id: 'b' },
    { kind: 'record', id: 'b' },
  ]);
});

test('deletes nothing of a stream without deletions', () => {
  expect(deletionsOf('oura', 'daily_activity')).toEqual([]);
});

test('rejects documents of an unknown stream', () => {
  expect(() => deletionsOf('oura', 'horoscope')).toThrow('unknown stream horoscope of provider oura');
});
