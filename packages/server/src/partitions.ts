/** Partitions of users, and of webhooks. Which one an id is in never changes. */
export const partitionCount = 64;

/** The same as `partition_of` in SQL: the last six bits of the id, which are random. */
export function partitionOf(id: string): number {
  return Number.parseInt(id.slice(-2), 16) % partitionCount;
}
