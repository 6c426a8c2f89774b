/** Runs tasks with limited concurrency; the others wait in order. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** Without `queue`, any number of tasks may wait. */
export function createSemaphore(
  most: number,
  queue: { mostWaiting: number; createRefusal: () => Error } | null = null,
): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running += 1;
    else if (queue && waiting.length >= queue.mostWaiting) throw queue.createRefusal();
    else await new Promise<void>((resolve) => waiting.push(resolve));
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
