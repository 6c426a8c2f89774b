import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

interface Ticks {
  steal: number;
  all: number;
}

/** The share of the machine's time that other guests of the host used since an earlier reading, or 0 if unknown. */
function stealSince(before: Ticks): number {
  const now = readTicks();
  return (now.steal - before.steal) / Math.max(1, now.all - before.all);
}

function readTicks(): Ticks {
  try {
    const fields = readFileSync('/proc/stat', 'utf8')
      .split('\n')[0]!
      .trim()
      .split(/\s+/)
      .slice(1, 9)
      .map(Number);
    return { steal: fields[7] ?? 0, all: fields.reduce((sum, ticks) => sum + ticks, 0) };
  } catch {
    return { steal: 0, all: 0 };
  }
}

/** Waits for at most a minute until other guests leave most of the machine to this one. */
export async function awaitCalm(): Promise<void> {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const before = readTicks();
    await sleep(10_000);
    if (stealSince(before) < 0.3) return;
  }
}
