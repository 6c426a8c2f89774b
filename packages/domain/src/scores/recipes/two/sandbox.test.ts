import { archetypes } from '@tributary/contract';
import { describe, expect, test } from 'vitest';
import { dayStartMs } from '../../../days.ts';
import { scoreDay } from '../../score-day.ts';
import { firstDay, simulateDays } from '../../test/simulate-days.ts';

const count = 30;

function reservesOf(archetype: (typeof archetypes)[number]): number[] {
  const days = simulateDays(archetype, count, '42');
  return Array.from({ length: count }, (_, at) => {
    const { scores } = scoreDay(days, firstDay + at, dayStartMs(firstDay + count, 'UTC'), 2);
    return scores.energy_reserve_score!.value;
  });
}

function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

describe('the energy reserve of simulated people', () => {
  test.each([7, count])('has a standard deviation of at least 10 over their first %i days', (days) => {
    const values = archetypes.flatMap((archetype) => reservesOf(archetype).slice(0, days));
    expect(values).toHaveLength(archetypes.length * days);
    expect(spreadOf(values)).toBeGreaterThanOrEqual(10);
  });
});
