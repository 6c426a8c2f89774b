import type { Method, Metric } from '@tributary/domain';

/** A change as sent to the API. */
export interface Change {
  providers?: Record<string, boolean>;
  metrics?: Record<string, { method?: Method | null; providers?: Record<string, boolean> }>;
}

/** The settings after all accepted changes, in order. */
export class ModelSettings {
  readonly #methods = new Map<string, Method>();
  readonly #off = new Set<string>();

  apply({ providers = {}, metrics = {} }: Change): void {
    this.#switch('', providers);
    for (const [key, change] of Object.entries(metrics)) {
      if (change.method === null) this.#methods.delete(key);
      else if (change.method !== undefined) this.#methods.set(key, change.method);
      this.#switch(key, change.providers ?? {});
    }
  }

  reset(): void {
    this.#methods.clear();
    this.#off.clear();
  }

  methodOf({ id, group, defaultMethod }: Metric): Method | null {
    return this.#methods.get(group ?? id) ?? defaultMethod;
  }

  /** Whether a provider is enabled for a key. Metrics without a key obey only the global switch. */
  takesPart(key: string | null, provider: string): boolean {
    return !this.#off.has(` ${provider}`) && (key === null || !this.#off.has(`${key} ${provider}`));
  }

  #switch(key: string, switches: Record<string, boolean>): void {
    for (const [provider, on] of Object.entries(switches))
      if (on) this.#off.delete(`${key} ${provider}`);
      else this.#off.add(`${key} ${provider}`);
  }
}

/** The settings key that applies to a metric. */
export function keyOf({ id, group, defaultMethod }: Metric): string | null {
  return defaultMethod === null ? null : (group ?? id);
}
