import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { assertPortsFree, ephemeralPorts, fixedPorts, type PortPlan } from './port-plan.ts';
import { freePort } from './ports.ts';

const all = ({ api, metrics, postgres, nats, redis, smtp, mail, lab }: PortPlan): number[] => [
  ...api,
  ...metrics,
  postgres,
  nats,
  redis,
  smtp,
  mail,
  lab,
];
const most = { api: 16, metrics: 19 };

describe('fixedPorts', () => {
  test('returns the documented ports by default', () => {
    const ports = fixedPorts(8080, { api: 1, metrics: 1 });
    expect(ports).toEqual({
      api: [8080],
      metrics: [9464],
      postgres: 54_329,
      nats: 42_229,
      redis: 63_799,
      smtp: 10_259,
      mail: 10_809,
      lab: 10_909,
    });
  });

  test('shifts all ports with the API port, without overlaps with each other or the defaults', () => {
    const moved = all(fixedPorts(9000, most));
    expect(new Set(moved).size).toBe(moved.length);
    expect(moved.filter((port) => all(fixedPorts(8080, most)).includes(port))).toEqual([]);
  });
});

describe('ephemeralPorts', () => {
  test('returns distinct ports and keeps a requested API port', async () => {
    const ports = await ephemeralPorts(9000, most);
    expect(ports.api[0]).toBe(9000);
    expect(new Set(all(ports)).size).toBe(all(ports).length);
  });
});

describe('assertPortsFree', () => {
  test('names the port in use and what to do', async () => {
    const [usedPort, free] = [await freePort(), await freePort()];
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(usedPort, '127.0.0.1', resolve));
    try {
      const check = assertPortsFree([
        { port: usedPort, use: 'the API' },
        { port: free, use: 'metrics' },
      ]);
      const error = await check.catch((cause: unknown) => cause);
      expect(String(error)).toContain(
        `Port ${usedPort} on 127.0.0.1 is in use. The stack needs it for the API.`,
      );
      expect(String(error)).toContain('--port');
      expect(String(error)).toContain('--ephemeral');
      expect(String(error)).not.toContain(String(free));
    } finally {
      server.close();
    }
  });
});
