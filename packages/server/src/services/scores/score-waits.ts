import type { Config } from '../../config.ts';
import type { ScoreWaits } from '../../store/stale-scores.ts';

/** Who tries the service out should not wait for minutes, and a first score is waited for. */
const sandboxMs = 1_000;
const firstMs = 200;
/** A piece of history comes stream by stream: its days are scored when all of it is there. */
const historyMs = 5_000;

/** How long scores wait for more data before they are worked out. */
export function scoreWaits(
  { scores }: Pick<Config, 'scores'>,
  { isHistory = false }: { isHistory?: boolean } = {},
): ScoreWaits {
  const liveMs = scores.debounceSeconds * 1000;
  return isHistory
    ? { liveMs: Math.max(liveMs, historyMs), sandboxMs: historyMs, firstMs }
    : { liveMs, sandboxMs, firstMs };
}
