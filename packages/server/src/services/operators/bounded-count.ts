import { mostCounted } from '../../store/dashboard-users.ts';

/** What was counted up to one more than is told, and whether there are more. */
export function boundedCount(counted: number, most = mostCounted): { value: number; more: boolean } {
  return { value: Math.min(counted, most), more: counted > most };
}
