/** New data is processed before history. */
export type BatchPriority = 'live' | 'history';

/**
 * History batches have positions from here on, so that they sort after all new data. Only this file knows the encoding. It lets the primary key
 * `(partition, position)` find the next batches of either priority and of both together. A priority column would need a second index on the table
 * that every upload writes, and nodes of version 0.1 would not set it. A safe integer in JavaScript that the sequence of positions never reaches.
 */
const firstOfHistory = 2 ** 52;

/** Added to the next value of the sequence `pending_order` to get the position of a new batch. */
export const positionOffset: Readonly<Record<BatchPriority, number>> = { live: 0, history: firstOfHistory };

/** The positions of batches by priority, with an inclusive start and an exclusive end. */
export const positions = {
  all: { from: 0, to: Number.MAX_SAFE_INTEGER },
  live: { from: 0, to: firstOfHistory },
  history: { from: firstOfHistory, to: Number.MAX_SAFE_INTEGER },
} as const;

export function priorityOf({ position }: { position: number }): BatchPriority {
  return position < firstOfHistory ? 'live' : 'history';
}
