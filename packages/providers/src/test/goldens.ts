import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scopes, type BatchWire } from '@tributary/contract';
import { readBatch } from '@tributary/domain';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents, Provider, Stream } from '../provider.ts';

interface Recorded {
  stream: string;
  documents: Documents;
}

export interface GoldenOptions {
  /** For each stream, the mapped fields as `path.in.the.document`, with `[]` for the items of a list and `{}` for keys that are data. */
  fields: Record<string, readonly string[]>;
  /** Pairs of fields that can be swapped without a visible change, each with a reason: parts of one sum. */
  interchangeable?: readonly (readonly [one: string, other: string, why: string])[];
}

type Path = readonly (string | number)[];

/**
 * Checks a provider against its recorded payloads: `recorded/*.json` map to `golden/*.json`, and no mapped value may be rejected. Also checks the
 * payloads against the mappers: every mapped field changes the result, no other field does, and no two fields can be swapped without a visible
 * change.
 */
export function describeGoldens(provider: Provider, folder: string, options: GoldenOptions): void {
  const names = readdirSync(join(folder, 'recorded')).sort();
  const recorded = names.map((file) => ({
    file,
    ...(JSON.parse(readFileSync(join(folder, 'recorded', file), 'utf8')) as Recorded),
  }));

  test.each(provider.streams.map(({ name }) => name))('%s has a recorded payload', (name) => {
    expect(recorded.some(({ stream }) => stream === name)).toBe(true);
  });

  test.each(recorded)('maps $file to its golden without rejections', async ({ file, stream, documents }) => {
    const batch = mapDocuments(streamOf(provider, stream), documents);
    expect(rejectionsOf(batch)).toEqual([]);
    await expect(`${JSON.stringify(batch, null, 2)}\n`).toMatchFileSnapshot(join(folder, 'golden', file));
  });

  describe.each([...new Set(recorded.map(({ stream }) => stream))])('%s', (name) => {
    const stream = streamOf(provider, name);
    const payloads = recorded.filter((one) => one.stream === name).map(({ documents }) => documents);

    test('maps exactly the listed fields', () => {
      const mapped = new Set(
        payloads.flatMap((documents) =>
          leavesOf(documents)
            .filter((path) => isMapped(stream, documents, path))
            .map(nameOf),
        ),
      );
      expect([...mapped].sort()).toEqual([...(options.fields[name] ?? [])].sort());
    });

    test('detects any swap of two fields', () => {
      const swaps = payloads.flatMap((documents) => swapsOf(stream, documents));
      // One payload that shows it is enough.
      const shown = new Set(swaps.filter(({ isSeen }) => isSeen).map(({ pair }) => pair));
      const allowed = new Set((options.interchangeable ?? []).map(([one, other]) => pairOf(one, other)));
      const unseen = swaps.map(({ pair }) => pair).filter((pair) => !shown.has(pair) && !allowed.has(pair));
      expect([...new Set(unseen)]).toEqual([]);
    });
  });
}

/** The mapped documents, without empty lists. */
function mapDocuments(stream: Stream, documents: Documents): Partial<BatchWire> {
  const builder = new BatchBuilder();
  stream.map(documents, builder);
  return Object.fromEntries(Object.entries(builder.lists).filter(([, list]) => list.length > 0));
}

function rejectionsOf(batch: Partial<BatchWire>): unknown[] {
  const nowMs = Date.parse('2027-01-01T00:00:00Z');
  const batchId = '0d9c1c55-3f0e-4d4b-9a52-6f6f3f1f7f10';
  const device = { provider: 'apple_health', id: 'x', kind: 'other' } as const;
  const facts = { batchId, createdMs: nowMs, receivedMs: nowMs, scopes };
  return readBatch({ batch_id: batchId, device, ...batch }, facts).rejections.listed;
}

function streamOf(provider: Provider, name: string): Stream {
  const stream = provider.streams.find((one) => one.name === name);
  if (!stream) throw new Error(`${provider.id} has no stream ${name}`);
  return stream;
}

/** Every number, string and boolean. Only the first few of a long list of plain values. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  // All documents, and the first few items of lists inside them.
  if (Array.isArray(value))
    return value
      .slice(0, path.length === 0 ? undefined : 3)
      .flatMap((item, at) => leavesOf(item, [...path, at]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .slice(0, 80)
      .flatMap(([key, item]) => leavesOf(item, [...path, key]));
  return value === null ? [] : [path];
}

/** The path without the index of the document. Items of lists are alike, and so are keys that are numbers or times of day. */
function nameOf(path: Path): string {
  return path
    .slice(1)
    .map((part) => (typeof part === 'number' ? '[]' : /^[\d:]+$/.test(part) ? '{}' : part))
    .join('.');
}

function isMapped(stream: Stream, documents: Documents, path: Path): boolean {
  const before = JSON.stringify(mapDocuments(stream, documents));
  const value = at(documents, path);
  const others =
    typeof value === 'number'
      ? [value + 1, null]
      : typeof value === 'boolean'
        ? [!value]
        : [null, `${String(value)}~`];
  return others.some(
    (other) => JSON.stringify(mapDocuments(stream, replaced(documents, [[path, other]]))) !== before,
  );
}

/** Every swap of two fields of a document, and whether it changes the result. */
function swapsOf(stream: Stream, documents: Documents): { pair: string; isSeen: boolean }[] {
  const before = JSON.stringify(mapDocuments(stream, documents));
  const leaves = leavesOf(documents).filter((path) => isMapped(stream, documents, path));
  return leaves.flatMap((one, index) =>
    leaves.slice(index + 1).flatMap((other) => {
      const [a, b] = [at(documents, one), at(documents, other)];
      if (one[0] !== other[0] || typeof a !== typeof b || nameOf(one) === nameOf(other)) return [];
      const swapped = replaced(documents, [
        [one, b],
        [other, a],
      ]);
      // Swapping equal values has no effect, so a recorded payload must have different ones.
      const isSeen = a !== b && JSON.stringify(mapDocuments(stream, swapped)) !== before;
      return [{ pair: pairOf(nameOf(one), nameOf(other)), isSeen }];
    }),
  );
}

function pairOf(one: string, other: string): string {
  return [one, other].sort().join(' ↔ ');
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, part) => (inner as Record<string | number, unknown>)[part], value);
}

function replaced(documents: Documents, changes: readonly (readonly [Path, unknown])[]): Documents {
  const copy = structuredClone(documents) as unknown[];
  for (const [path, value] of changes) {
    const holder = at(copy, path.slice(0, -1)) as Record<string | number, unknown>;
    holder[path.at(-1)!] = value;
  }
  return copy;
}
