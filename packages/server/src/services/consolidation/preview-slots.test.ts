import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withSlot } from './preview-slots.ts';

test('rejects a call with a retry delay if too many of the account are waiting', async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const all = Array.from({ length: 22 }, () => withSlot('busy', () => gate));
  await expect(withSlot('busy', () => gate)).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 2,
  });
  const other = withSlot('other', async () => 'fresh');
  open();
  await expect(other).resolves.toBe('fresh');
  await Promise.all(all);
  await expect(withSlot('busy', async () => 'again')).resolves.toBe('again');
});

test('runs the preview of an account after at most a few of another', async () => {
  const ended: string[] = [];
  const preview = (accountId: string) =>
    withSlot(accountId, async () => {
      await setImmediate();
      ended.push(accountId);
    });
  const busy = Array.from({ length: 20 }, () => preview('busy'));
  await Promise.all([...busy, preview('other')]);
  expect(ended.indexOf('other')).toBeLessThan(5);
});
