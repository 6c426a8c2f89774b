import { Gauge, type Registry } from 'prom-client';
import type { Loops } from '../loops.ts';

/** How long a loop may take to set its gauges again. The slowest loop does so every 15 seconds. */
const gaugeLastsMs = 30_000;

/** A gauge that a background loop sets. Once the loop has stopped, it reports `NaN` instead of its last value. */
export class LoopGauge<T extends string = string> extends Gauge<T> {
  #setAt = Infinity;

  override set(
    ...args: [value: number] | [labels: Partial<Record<T, string | number>>, value: number]
  ): void {
    this.#setAt = performance.now();
    super.set(...(args as [Partial<Record<T, string | number>>, number]));
  }

  override async get() {
    const current = await super.get();
    if (performance.now() - this.#setAt < gaugeLastsMs) return current;
    return { ...current, values: current.values.map((sample) => ({ ...sample, value: Number.NaN })) };
  }
}

/** Reports when each background loop last made progress. */
export function observeLoops(registry: Registry, loops: Loops): void {
  new Gauge({
    name: 'tributary_loop_last_beat_seconds',
    help: 'Unix time at which each background loop of this process last made progress',
    labelNames: ['loop'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [loop, ageMs] of loops.ages()) this.set({ loop }, (Date.now() - ageMs) / 1000);
    },
  });
}
