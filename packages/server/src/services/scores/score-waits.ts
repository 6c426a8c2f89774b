import type { Config } from '../../config.ts';
import type { ScoreWaits } from '../../store/scores/stale.ts';

/** Sandbox users should not wait for minutes, and users wait for their first score. */
const sandboxMs = 1_000;
const firstMs = 200;
/** History arrives stream by stream. Its days are scored once all of it has arrived. */
const historyMs = 5_000;

/** How long to wait for more data before scores are computed. */
export function scoreWaits(
  { scores }: Pick<Config, 'scores'>,
  { isHistory = false }: { isHistory?: boolean } = {},
): ScoreWaits {
  const liveMs = scores.debounceSeconds * 1000;
  return isHistory
    ? { liveMs: Math.max(liveMs, historyMs), sandboxMs: historyMs, firstMs }
    : { liveMs, sandboxMs, firstMs };
}
