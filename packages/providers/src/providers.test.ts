import { describe, expect, test } from 'vitest';
import { providers } from './providers.ts';

describe.each(providers)('$id', ({ streams, push }) => {
  test('has one stream per name', () => {
    const names = streams.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('can read documents that may be deleted by their id', () => {
    for (const { name, deletes, readOne } of streams)
      if (deletes.length > 0) expect(readOne, name).not.toBeNull();
  });

  test('has details only of streams that it lists', () => {
    const listed = streams.filter(({ kind }) => kind === 'listed').map(({ name }) => name);
    for (const stream of streams)
      if (stream.kind === 'detail') expect(listed, stream.name).toContain(stream.detailOf);
  });

  test('has pushes if a stream depends on them', () => {
    if (streams.some(({ kind }) => kind === 'pushed')) expect(push).not.toBeNull();
  });
});

test('every kind of stream is in use', () => {
  const kinds = providers.flatMap(({ streams }) => streams.map(({ kind }) => kind));
  expect(new Set(kinds)).toEqual(new Set(['listed', 'detail', 'pushed']));
});
