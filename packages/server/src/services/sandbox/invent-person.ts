import type { Archetype } from '@tributary/contract';
import { dayOf, dayStartMs, pickArchetype, seedOf } from '@tributary/domain';
import type { SandboxPerson } from '../../store/sandbox.ts';

/** A new user has lived through so many days, the one it is made on included. */
const seededDays = 7;
const dayMs = 86_400_000;

/** Who a new user of the sandbox is: the same for the same reference, and nothing reported yet. */
export function inventPerson(
  {
    referenceId,
    timezone,
    archetype,
  }: { referenceId: string; timezone: string; archetype: Archetype | 'none' | null },
  nowMs: number,
): SandboxPerson {
  const seed = seedOf(referenceId);
  const firstDay = dayOf(nowMs, timezone) - seededDays + 1;
  return {
    seed,
    archetype: archetype ?? pickArchetype(seed),
    firstDay,
    // The first night begins the evening before.
    untilMs: dayStartMs(firstDay, timezone) - dayMs,
  };
}
