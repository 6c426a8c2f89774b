import type { Archetype } from '@tributary/contract';
import { dayMs, dayOf, dayStartMs, pickArchetype, platformOf, seedOf } from '@tributary/domain';
import type { SandboxPerson } from '../../store/sandbox/sandbox.ts';

/** Days of data that a new user starts with, including today. */
const seededDays = 7;

/** Generates the simulated person of a new sandbox user. The same reference ID gives the same person, with nothing reported yet. */
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
  const picked = archetype ?? pickArchetype(seed);
  return {
    seed,
    archetype: picked,
    firstDay,
    platform: picked === 'none' ? 'ios' : platformOf(picked),
    // The first night starts on the previous evening.
    untilMs: dayStartMs(firstDay, timezone) - dayMs,
  };
}
