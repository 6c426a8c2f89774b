import type { Config } from '../../config.ts';
import type { ScoreWaits } from '../../store/stale-scores.ts';

/** Who tries the service out should not wait for minutes, and a first score is waited for. */
const sandboxMs = 1_000;
const firstMs = 200;

/** How long scores wait for more data before they are worked out. */
export function scoreWaits({ scores }: Pick<Config, 'scores'>): ScoreWaits {
  return { liveMs: scores.debounceSeconds * 1000, sandboxMs, firstMs };
}
