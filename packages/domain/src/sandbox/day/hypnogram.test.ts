import { archetypes } from '@tributary/contract';
import { expect, test } from 'vitest';
import { parseDay } from '../../days.ts';
import { summarizeSleep } from '../../sessions/summarize-sleep.ts';
import { planDays } from './plan.ts';
import { hypnogramOf, type Stage } from './hypnogram.ts';
import { sleepOf } from './night.ts';

const minuteMs = 60_000;
const firstDay = parseDay('2025-06-09')!;
const nights = archetypes.flatMap((archetype) =>
  planDays({ seed: '42', archetype, firstDay }, 0, 59).map((plan) => {
    const night = sleepOf(plan);
    return { night, stages: hypnogramOf(night, plan.chance, 'ring') };
  }),
);

function summaryOf(stages: readonly Stage[]) {
  let atMs = 0;
  const spans = stages.map(({ stage, minutes }) => {
    const startMs = atMs;
    atMs += minutes * minuteMs;
    return { stage, startMs, endMs: atMs };
  });
  return summarizeSleep({ startMs: 0, endMs: atMs, stages: spans });
}

test('generates stages that match the minutes of the night exactly', () => {
  for (const { night, stages } of nights) {
    const inBed = night.endMinute - night.startMinute;
    expect(summaryOf(stages)).toMatchObject({
      asleepMinutes: night.asleepMinutes,
      deepMinutes: night.deepMinutes,
      lightMinutes: night.asleepMinutes - night.deepMinutes - night.remMinutes,
      remMinutes: night.remMinutes,
      awakeMinutes: inBed - night.asleepMinutes,
      inBedMinutes: inBed,
      latencyMinutes: night.latencyMinutes,
      wakeAfterOnsetMinutes: inBed - night.asleepMinutes - night.latencyMinutes - night.arisingMinutes,
      latencyToArisingMinutes: night.arisingMinutes,
    });
  }
});

test('places deep sleep mostly early and REM sleep mostly late', () => {
  const middleOf = (stages: readonly Stage[], wanted: Stage['stage']): number => {
    let [at, weighted, total] = [0, 0, 0];
    for (const { stage, minutes } of stages) {
      if (stage === wanted) [weighted, total] = [weighted + minutes * (at + minutes / 2), total + minutes];
      at += minutes;
    }
    return weighted / total / at;
  };
  for (const { stages } of nights) {
    expect(middleOf(stages, 'deep')).toBeLessThan(0.5);
    expect(middleOf(stages, 'rem')).toBeGreaterThan(0.5);
  }
});

test('generates the stages of a whole night', () => {
  const night = {
    startMinute: -45,
    endMinute: 435,
    asleepMinutes: 380,
    deepMinutes: 65,
    remMinutes: 84,
    latencyMinutes: 14,
    arisingMinutes: 5,
  };
  const chance = { uniform: () => 0.5, normal: () => 0 };
  const stages = hypnogramOf(night, chance, 'ring');
  expect(stages.map(({ stage, minutes }) => `${stage} ${minutes}`).join(', ')).toBe(
    'awake 14, light 29, awake 12, deep 35, light 29, rem 8, awake 11, light 29, awake 12, deep 19, light 29, rem 17, ' +
      'awake 11, light 28, awake 12, deep 9, light 29, rem 25, awake 11, light 29, awake 12, deep 2, light 29, rem 34, awake 5',
  );
});
