import type { Lab, PushRecord } from '@tributary/lab';

/** Pushes of the lab, in order. It forgets old ones itself, thousands at a time when many people are read, so they are collected after each of its moves. */
export class PushHistory {
  readonly #pushes = new Map<number, PushRecord>();

  collect({ pushes }: Pick<Lab, 'pushes'>): void {
    for (const record of pushes.list()) this.#pushes.set(record.id, record);
  }

  of(provider: string): PushRecord[] {
    return [...this.#pushes.values()].filter((record) => record.provider === provider);
  }
}
