import { expect, test } from 'vitest';
import type { AuditEntry } from '../../store/audit/chain.ts';
import { beforeFirst, canonicalEntry, hashEntry } from './hash-entry.ts';

const entry: AuditEntry = {
  id: '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e10',
  accountId: '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e11',
  environment: 'live',
  at: 1_772_435_671_120,
  actorType: 'api_key',
  actorId: 'key_1',
  action: 'user.updated',
  targetType: 'user',
  targetId: 'user_1',
  address: null,
  requestId: 'req_1',
  data: '{"fields": ["name"]}',
  person: null,
  textHash: null,
};

test('keeps the hashed form stable, because a change would break existing chains', () => {
  expect(canonicalEntry(7, entry)).toBe(
    '[1,"0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e11",7,"0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e10","live",1772435671120,"api_key","key_1",' +
      '"user.updated","user","user_1",null,"req_1","{\\"fields\\": [\\"name\\"]}",null,null]',
  );
  expect(hashEntry(beforeFirst, 7, entry).toString('hex')).toBe(
    'da5731bbae5b1c094ffe32b7c2511688c6b49fccfe97fcac83ca2d9d6e789977',
  );
});

test('includes every field, the position and the previous hash', () => {
  const hashes = new Set([hashEntry(beforeFirst, 7, entry).toString('hex')]);
  const changed = Object.keys(entry).map((field) => ({ ...entry, [field]: field === 'at' ? 1.5 : 'x' }));
  for (const one of changed) hashes.add(hashEntry(beforeFirst, 7, one).toString('hex'));
  hashes.add(hashEntry(beforeFirst, 8, entry).toString('hex'));
  hashes.add(hashEntry(Buffer.alloc(32, 1), 7, entry).toString('hex'));
  expect(hashes.size).toBe(changed.length + 3);
});
