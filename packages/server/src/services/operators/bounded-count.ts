import { mostCounted } from '../../store/dashboard/users.ts';

/** Limits a count that was taken up to one more than `most`, and returns whether there are more. */
export function boundedCount(counted: number, most = mostCounted): { value: number; more: boolean } {
  return { value: Math.min(counted, most), more: counted > most };
}
