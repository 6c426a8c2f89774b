/** The lab's clock. It only moves forward and runs the tasks that fall due in order. */
export interface LabClock {
  now: () => number;
  /** The time on the clocks of receivers, which check the age of signatures. They follow real time even if this clock was moved ahead of it. */
  receiverNow: () => number;
  /** Resolves when all due tasks are done, and rejects if one failed. */
  moveTo: (ms: number) => Promise<void>;
  advance: (ms: number) => Promise<void>;
  /** Runs a task when the clock reaches a time. */
  at: (ms: number, task: () => Promise<void>) => void;
  /** Called before each move, so that the listener can schedule the tasks that fall due in it. */
  onMove: (listener: (fromMs: number, toMs: number) => void) => void;
  stop: () => void;
}

interface Task {
  at: number;
  run: () => Promise<void>;
}

const TICK_MS = 1000;
// Scheduling due tasks costs more than checking whether there are any.
const ANNOUNCE_EVERY_MS = 5000;

/** Starts a clock that stands still at a time until it is moved. Without a time, it follows real time. */
export function startClock(startAt?: number, onError: (error: unknown) => void = throwLater): LabClock {
  const goes = startAt === undefined;
  let base = startAt ?? Date.now();
  let baseRead = Date.now();
  // While the clock is moved manually, it stops at each due task until that is done.
  let stoodAt: number | null = null;
  let moving: Promise<void> = Promise.resolve();
  let announcedUntil = base;
  const tasks: Task[] = [];
  const listeners: ((fromMs: number, toMs: number) => void)[] = [];

  const now = (): number => stoodAt ?? base + (goes ? Math.max(0, Date.now() - baseRead) : 0);
  const announce = (to: number): void => {
    if (to <= announcedUntil) return;
    const from = announcedUntil;
    announcedUntil = to;
    for (const listener of listeners) listener(from, to);
  };
  const takeDue = (to: number): Task | undefined =>
    tasks[0] !== undefined && tasks[0].at <= to ? tasks.shift() : undefined;
  const move = async (to: number): Promise<void> => {
    const from = now();
    if (to < from) throw new RangeError('The lab clock only moves forward. Set a later time.');
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
  // A slow receiver must not block a clock that follows real time, so due tasks are started without waiting for them.
  const tick = (): void => {
    if (stoodAt !== null) return;
    const to = now();
    if (to - announcedUntil >= ANNOUNCE_EVERY_MS) announce(to);
    for (let task = takeDue(to); task; task = takeDue(to)) task.run().catch(onError);
  };
  const timer = goes ? setInterval(tick, TICK_MS).unref() : undefined;

  return {
    now,
    // Receivers of a clock that stands still are tests, which set their own clock to it.
    receiverNow: () => (goes ? Date.now() : now()),
    moveTo: (ms) => queue(() => move(ms)),
    advance: (ms) => queue(() => move(now() + ms)),
    at: (ms, run) => insertTask(tasks, { at: ms, run }),
    onMove: (listener) => void listeners.push(listener),
    stop: () => clearInterval(timer),
  };
}

/** Failures of tasks that no caller waits for must not go unnoticed. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Keeps tasks sorted. Tasks due at the same time stay in insertion order. */
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
