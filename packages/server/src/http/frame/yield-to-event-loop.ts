const waiting: (() => void)[] = [];

/**
 * Waits for a slot to print a piece of a long body. Each event loop iteration admits one writer, the one that waited longest, so other
 * requests wait for at most one piece, regardless of the number of bodies.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letNextPrint);
  });
}

function letNextPrint(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(letNextPrint);
}
