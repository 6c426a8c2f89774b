import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LabAsks } from './lab-process.ts';

/** The lab of a run, as seen from the run's process. */
export interface RunLab extends Disposable {
  url: string;
  pid: number;
  ask: <Name extends keyof LabAsks>(
    name: Name,
    given: LabAsks[Name]['given'],
  ) => Promise<LabAsks[Name]['answer']>;
}

interface Answer {
  id: number;
  answer?: unknown;
  failed?: string;
}

export async function startRunLab(): Promise<RunLab> {
  const child = fork(fileURLToPath(new URL('./lab-process.ts', import.meta.url)));
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  child.on('message', ({ id, answer, failed }: Answer) => {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (failed === undefined) resolve(answer);
    else reject(new Error(failed));
  });
  let asked = 0;
  return {
    url,
    pid: child.pid!,
    ask: async (name, given) => {
      asked += 1;
      const answered = Promise.withResolvers<unknown>();
      waiting.set(asked, answered);
      child.send({ id: asked, name, given });
      return (await answered.promise) as never;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
