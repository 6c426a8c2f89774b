import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { applyPatch, root, type Patch } from '@tributary/rig';
import { describe, expect, test } from 'vitest';
import { plants as syncFairness } from '../bench/sync-fairness/plants.ts';
import { plants as audit } from '../chaos/audit/plants.ts';
import { plants as client } from '../chaos/client/plants.ts';
import { plants as feed } from '../chaos/feed/plants.ts';
import { plants as hostile } from '../chaos/hostile/plants.ts';
import { plants as ingest } from '../chaos/ingest/plants.ts';
import { plants as mail } from '../chaos/mail/plants.ts';
import { plants as reads } from '../chaos/reads/plants.ts';
import { plants as rules } from '../chaos/rules/plants.ts';
import { plants as stream } from '../chaos/stream/plants.ts';
import { plants as sync } from '../chaos/sync/plants.ts';
import { plants as webhooks } from '../chaos/webhooks/plants.ts';

/** A fault whose patch no longer matches would never be planted, and no other test would notice. */
const faults: Record<string, readonly { name: string; patches: readonly Patch[] }[]> = {
  'bench:sync-fairness': syncFairness,
  'chaos:audit': audit,
  'chaos:client': client,
  'chaos:feed': feed,
  'chaos:hostile': hostile,
  'chaos:ingest': ingest,
  'chaos:mail': mail,
  'chaos:reads': reads,
  'chaos:rules': rules,
  'chaos:stream': stream,
  'chaos:sync': sync,
  'chaos:webhooks': webhooks,
};

const rows = Object.entries(faults).flatMap(([proof, plants]) =>
  plants.map(({ name, patches }) => ({ proof, name, patches })),
);

test.each(rows)(
  'every patch of $proof --plant $name matches once and leaves valid code',
  async ({ patches }) => {
    expect(patches.length).toBeGreaterThan(0);
    const changed = new Map<string, string>();
    for (const patch of patches) {
      const before = changed.get(patch.file) ?? (await readFile(join(root, patch.file), 'utf8'));
      const after = applyPatch(before, patch);
      expect(after).not.toBe(before);
      changed.set(patch.file, after);
    }
    for (const [file, text] of changed)
      if (file.endsWith('.ts')) expect(() => stripTypeScriptTypes(text), file).not.toThrow();
  },
);

describe('a patch', () => {
  const patch = { file: 'a.ts', find: 'old', replace: 'new' };

  test('fails when its target is gone', () => {
    expect(() => applyPatch('changed', patch)).toThrow('matches 0 places in a.ts, expected 1');
  });

  test('fails when its target is ambiguous', () => {
    expect(() => applyPatch('old, old', patch)).toThrow('matches 2 places in a.ts, expected 1');
  });
});
