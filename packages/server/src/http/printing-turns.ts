const waiting: (() => void)[] = [];

/**
 * Waits for a turn to print a piece of a long body. Each turn of the event loop lets one printer go, the one that waited longest:
 * other requests wait for one piece at most, however many bodies are under way.
 */
export function nextPrintingTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letNextPrint);
  });
}

function letNextPrint(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(letNextPrint);
}
