import type { Aggregation } from '../catalog/metric.ts';
import { minuteMs } from '../durations.ts';

/** A measured value shows that the device was in use in this part of an hour. */
const slotMs = 15 * minuteMs;

/**
 * The time between two instants that a device observed. Counted amounts: the union of their intervals, at least a minute each. Measured
 * values: the 15-minute slots with a reading. Spans must be added in order of their start.
 */
export class ObservedTime {
  readonly #step: number;
  readonly #leastMs: number;
  readonly #fromMs: number;
  readonly #toMs: number;
  #untilMs: number;
  totalMs = 0;

  constructor(aggregation: Aggregation, fromMs: number, toMs: number) {
    const isCounted = aggregation === 'sum';
    this.#step = isCounted ? 1 : slotMs;
    this.#leastMs = isCounted ? minuteMs : 1;
    this.#fromMs = fromMs;
    this.#toMs = toMs;
    this.#untilMs = fromMs;
  }

  add(startMs: number, endMs: number): void {
    const lastMs = Math.max(endMs, startMs + this.#leastMs);
    const from = Math.max(this.#floor(startMs), this.#untilMs);
    const to = Math.min(this.#ceil(lastMs), this.#toMs);
    if (to <= from) return;
    this.totalMs += to - from;
    this.#untilMs = to;
  }

  /** Slots are counted from the start of the day, because some time zones are not a multiple of 15 minutes from UTC. */
  #floor(instantMs: number): number {
    return this.#fromMs + Math.floor((instantMs - this.#fromMs) / this.#step) * this.#step;
  }

  #ceil(instantMs: number): number {
    return this.#fromMs + Math.ceil((instantMs - this.#fromMs) / this.#step) * this.#step;
  }
}
