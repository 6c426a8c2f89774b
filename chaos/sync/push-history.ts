import type { Lab, PushRecord } from '@tributary/lab';

/**
 * The lab's pushes, in order. They are collected after each move of its clock, because the lab discards old ones, thousands at a time when
 * many users sync.
 */
export class PushHistory {
  readonly #pushes = new Map<number, PushRecord>();

  collect({ pushes }: Pick<Lab, 'pushes'>): void {
    for (const record of pushes.list()) this.#pushes.set(record.id, record);
  }

  of(provider: string): PushRecord[] {
    return [...this.#pushes.values()].filter((record) => record.provider === provider);
  }
}
