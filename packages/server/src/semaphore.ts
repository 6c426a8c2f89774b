/** Runs tasks with limited concurrency; the others wait in order. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

export function createSemaphore(most: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // Passes the slot to the next task, or frees it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
