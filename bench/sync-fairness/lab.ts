import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LabRequests } from './lab-process.ts';

/** The lab of a run, as seen from the run's process. */
export interface RunLab extends Disposable {
  url: string;
  pid: number;
  request: <Name extends keyof LabRequests>(
    name: Name,
    input: LabRequests[Name]['input'],
  ) => Promise<LabRequests[Name]['result']>;
}

interface LabReply {
  id: number;
  result?: unknown;
  failed?: string;
}

export async function startRunLab(): Promise<RunLab> {
  const child = fork(fileURLToPath(new URL('./lab-process.ts', import.meta.url)));
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  child.on('message', ({ id, result, failed }: LabReply) => {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (failed === undefined) resolve(result);
    else reject(new Error(failed));
  });
  let requestCount = 0;
  return {
    url,
    pid: child.pid!,
    request: async (name, input) => {
      requestCount += 1;
      const reply = Promise.withResolvers<unknown>();
      waiting.set(requestCount, reply);
      child.send({ id: requestCount, name, given: input });
      return (await reply.promise) as never;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
