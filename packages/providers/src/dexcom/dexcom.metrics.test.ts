import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { dexcom } from './index.ts';

test('lists exactly the metrics that the goldens contain', () => {
  const folder = join(import.meta.dirname, 'golden');
  const goldenMetrics = readdirSync(folder).flatMap((file) => {
    const golden = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Partial<BatchWire>;
    return [...(golden.series ?? []), ...(golden.records ?? [])].map(({ metric }) => metric);
  });
  expect([...dexcom.metrics].sort()).toEqual([...new Set(goldenMetrics)].sort());
});
