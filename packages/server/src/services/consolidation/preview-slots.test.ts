import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withSlot } from './preview-slots.ts';

test('runs two at a time and the others in order, and a failure releases its slot', async () => {
  let running = 0;
  let most = 0;
  const ended: number[] = [];
  const work = (at: number) =>
    withSlot(async () => {
      most = Math.max(most, (running += 1));
      await sleep(5);
      running -= 1;
      ended.push(at);
      if (at % 3 === 0) throw new Error('failed');
    }).catch(() => {});
  await Promise.all(Array.from({ length: 12 }, (_, at) => work(at)));
  expect(most).toBe(2);
  expect(ended).toEqual(Array.from({ length: 12 }, (_, at) => at));
});

test('rejects a call with a retry delay if too many are waiting', async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const all = Array.from({ length: 22 }, () => withSlot(() => gate));
  await expect(withSlot(() => gate)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  open();
  await Promise.all(all);
  await expect(withSlot(async () => 'again')).resolves.toBe('again');
});
