/** Work that a process repeats in the background. */
export type LoopName =
  | 'sequencer'
  | 'auditor'
  | 'monitor'
  | 'ingest'
  | 'history'
  | 'delivery'
  | 'sync'
  | 'keeper'
  | 'pushes'
  | 'push-subscriptions'
  | 'scores'
  | 'jobs'
  | 'backlog';

/** The age of a beat at which a loop counts as silent. Less than ten seconds, so that no process is ready while a loop has been silent for longer. */
const silentAfterMs = 8_000;

export interface Loop extends Disposable {
  /** Reports progress, now or some time ago: an iteration, or a response of the database to the loop. */
  beat: (ageMs?: number) => void;
}

interface RunningLoop {
  name: LoopName;
  silentAfterMs: number;
  beatAt: number;
}

/** The background loops of this process, and when each last made progress. Several with one name count as one: the slowest of them. */
export class Loops {
  readonly #running = new Set<RunningLoop>();

  /** Watches a loop until the result is disposed. A loop whose iterations wait for other hosts may be silent for longer. */
  start(name: LoopName, longestSilenceMs = silentAfterMs): Loop {
    const loop: RunningLoop = { name, silentAfterMs: longestSilenceMs, beatAt: performance.now() };
    this.#running.add(loop);
    return {
      beat: (ageMs = 0) => void (loop.beatAt = performance.now() - ageMs),
      [Symbol.dispose]: () => void this.#running.delete(loop),
    };
  }

  /** Milliseconds since the last beat, by name. */
  ages(): Map<LoopName, number> {
    const now = performance.now();
    const ages = new Map<LoopName, number>();
    for (const { name, beatAt } of this.#running) ages.set(name, Math.max(ages.get(name) ?? 0, now - beatAt));
    return ages;
  }

  /** Names of the loops that have been silent for too long. */
  silent(): LoopName[] {
    const now = performance.now();
    const silent = [...this.#running].filter((loop) => now - loop.beatAt >= loop.silentAfterMs);
    return [...new Set(silent.map(({ name }) => name))];
  }
}
