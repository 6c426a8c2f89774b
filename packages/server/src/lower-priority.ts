import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Enough for a waking request to interrupt long work, and little enough that the work continues on a busy machine. */
const niceness = 5; // of 19

/** Lets the calling thread run after those that serve requests. Linux has a priority per thread, and other systems ignore this. */
export function lowerPriority(): void {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (threadId !== process.pid) setPriority(threadId, getPriority(threadId) + niceness);
  } catch {
    // Without these calls the thread works, too.
  }
}
