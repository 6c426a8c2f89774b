import { join } from 'node:path';
import type { Supervision } from '../processes/child.ts';
import { createService } from '../service/service.ts';
import { engineEnvironment, resettableEngine, type ResettableEngine } from './engine.ts';
import { probe } from './probe.ts';

/** NATS with JetStream, which stores its streams in the stack's folder. */
export function createNats(supervision: Supervision, binary: string, port: number): ResettableEngine {
  const data = join(supervision.dir, 'nats');
  const service = createService(supervision, {
    launch: {
      name: 'nats',
      command: binary,
      args: ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', data],
      env: engineEnvironment(),
    },
    // The server greets clients only after JetStream has recovered its streams.
    isReady: () => probe(port, '', 'INFO '),
    readyTimeoutMs: 30_000,
    graceMs: 3000,
  });
  return resettableEngine(service, { name: 'nats', url: `nats://127.0.0.1:${port}`, port, data });
}
