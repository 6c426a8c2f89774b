/** When someone last used this page. Loading it counts. */
let lastUsedAt = Date.now();

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Starts to watch for input. Requests report how long there was none, so that an unattended page does not extend its session. */
export function watchActivity(): void {
  for (const input of inputs) addEventListener(input, noteInput, { passive: true, capture: true });
}

function noteInput(): void {
  lastUsedAt = Date.now();
}

export function lastActivity(): number {
  return lastUsedAt;
}

export function inactiveSeconds(): number {
  return Math.max(0, Math.floor((Date.now() - lastUsedAt) / 1_000));
}
