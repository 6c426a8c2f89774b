import { expect, test } from 'vitest';
import { WorkBudget } from './work-budget.ts';

test('shrinks while transactions take long, and grows back', () => {
  const budget = new WorkBudget();
  const full = budget.work;
  budget.noteDuration(600);
  expect(budget.work).toBe(full);
  budget.noteDuration(1_500);
  expect(budget.work).toBe(full / 2);
  budget.noteLimit();
  expect(budget.work).toBe(full / 8);
  for (let slow = 0; slow < 20; slow += 1) budget.noteLimit();
  expect(budget.work).toBeGreaterThan(0);
  for (let quick = 0; quick < 20; quick += 1) budget.noteDuration(10);
  expect(budget.work).toBe(full);
});
