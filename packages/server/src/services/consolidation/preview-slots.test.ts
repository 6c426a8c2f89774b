import { expect, test } from 'vitest';
import { withSlot } from './preview-slots.ts';

test('rejects a call with a retry delay if too many are waiting', async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const all = Array.from({ length: 22 }, () => withSlot(() => gate));
  await expect(withSlot(() => gate)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  open();
  await Promise.all(all);
  await expect(withSlot(async () => 'again')).resolves.toBe('again');
});
