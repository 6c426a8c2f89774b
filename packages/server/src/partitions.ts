/** Partitions of users and webhooks. The partition of an ID never changes. */
export const partitionCount = 64;

/** Equals `partition_of` in SQL: the last six bits of the ID, which are random. */
export function partitionOf(id: string): number {
  return Number.parseInt(id.slice(-2), 16) % partitionCount;
}
