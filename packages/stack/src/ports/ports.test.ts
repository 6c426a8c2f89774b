import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { freePort, isPortFree } from './ports.ts';

describe('freePort', () => {
  test('never returns a port twice, and stays below the ports of outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 120 }, () => freePort()));
    expect(new Set(ports).size).toBe(120);
    expect(Math.min(...ports)).toBeGreaterThan(20_000);
    expect(Math.max(...ports)).toBeLessThan(32_000);
  });
});

describe('isPortFree', () => {
  test('detects a listener', async () => {
    const port = await freePort();
    expect(await isPortFree(port)).toBe(true);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await isPortFree(port)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
    expect(await isPortFree(port)).toBe(true);
  });
});
