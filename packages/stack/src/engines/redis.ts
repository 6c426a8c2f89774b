import { join } from 'node:path';
import type { Supervision } from '../processes/child.ts';
import { createService } from '../service/service.ts';
import { engineEnvironment, resettableEngine, type ResettableEngine } from './engine.ts';
import { probe } from './probe.ts';

/** Redis without persistence, because the service stores nothing there that it cannot lose. */
export function createRedis(supervision: Supervision, binary: string, port: number): ResettableEngine {
  const data = join(supervision.dir, 'redis');
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    'protected-mode': 'yes',
    save: '',
    appendonly: 'no',
    dir: data,
    daemonize: 'no',
  };
  const service = createService(supervision, {
    launch: {
      name: 'redis',
      command: binary,
      args: Object.entries(settings).flatMap(([setting, value]) => [`--${setting}`, value]),
      env: engineEnvironment(),
    },
    isReady: () => probe(port, 'PING\r\n', '+PONG'),
    readyTimeoutMs: 15_000,
    graceMs: 2000,
  });
  return resettableEngine(service, { name: 'redis', url: `redis://127.0.0.1:${port}`, port, data });
}
