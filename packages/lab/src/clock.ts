/** The time of the lab: it only goes forward, and what falls due on the way is done in order. */
export interface LabClock {
  now: () => number;
  /** Resolves when everything that fell due on the way is done, and rejects if any of it failed. */
  moveTo: (ms: number) => Promise<void>;
  advance: (ms: number) => Promise<void>;
  /** Does something at a moment, as soon as the clock comes by. */
  at: (ms: number, task: () => Promise<void>) => void;
  /** Told before each move, so that the listener can say what falls due on the way. */
  onMove: (listener: (fromMs: number, toMs: number) => void) => void;
  stop: () => void;
}

interface Task {
  at: number;
  run: () => Promise<void>;
}

const TICK_MS = 1000;
// To say what falls due costs more than to look whether something is.
const TELL_EVERY_MS = 5000;

/** Starts a clock that stands at a moment until it is moved; without a moment, one that goes with the world's. */
export function startClock(startAt?: number, onError: (error: unknown) => void = throwLater): LabClock {
  const goes = startAt === undefined;
  let base = startAt ?? Date.now();
  let baseRead = Date.now();
  // While the clock is moved by hand, it stands at each thing that is due until that is done.
  let stoodAt: number | null = null;
  let moving: Promise<void> = Promise.resolve();
  let told = base;
  const tasks: Task[] = [];
  const listeners: ((fromMs: number, toMs: number) => void)[] = [];

  const now = (): number => stoodAt ?? base + (goes ? Math.max(0, Date.now() - baseRead) : 0);
  const announce = (to: number): void => {
    if (to <= told) return;
    const from = told;
    told = to;
    for (const listener of listeners) listener(from, to);
  };
  const takeDue = (to: number): Task | undefined =>
    tasks[0] !== undefined && tasks[0].at <= to ? tasks.shift() : undefined;
  const move = async (to: number): Promise<void> => {
    const from = now();
    if (to < from) throw new RangeError('The clock of the lab only goes forward: give a later moment.');
    stoodAt = from;
    const errors: unknown[] = [];
    try {
      announce(to);
      for (let task = takeDue(to); task; task = takeDue(to)) {
        stoodAt = Math.max(stoodAt, task.at);
        await task.run().catch((error: unknown) => errors.push(error));
      }
    } finally {
      base = to;
      baseRead = Date.now();
      stoodAt = null;
    }
    if (errors.length > 0) throw errors[0];
  };
  const queue = (work: () => Promise<void>): Promise<void> => {
    const result = moving.then(work);
    moving = result.catch(() => {});
    return result;
  };
  // A receiver that is slow must not hold up a clock that goes by itself, so what is due is begun and not waited for.
  const tick = (): void => {
    if (stoodAt !== null) return;
    const to = now();
    if (to - told >= TELL_EVERY_MS) announce(to);
    for (let task = takeDue(to); task; task = takeDue(to)) task.run().catch(onError);
  };
  const timer = goes ? setInterval(tick, TICK_MS).unref() : undefined;

  return {
    now,
    moveTo: (ms) => queue(() => move(ms)),
    advance: (ms) => queue(() => move(now() + ms)),
    at: (ms, run) => insertTask(tasks, { at: ms, run }),
    onMove: (listener) => void listeners.push(listener),
    stop: () => clearInterval(timer),
  };
}

/** What fails where nobody waits for it must not go unseen. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Keeps them in order; of two at the same moment, the one that was put in first comes first. */
function insertTask(tasks: Task[], task: Task): void {
  let low = 0;
  let high = tasks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (tasks[middle]!.at <= task.at) low = middle + 1;
    else high = middle;
  }
  tasks.splice(low, 0, task);
}
