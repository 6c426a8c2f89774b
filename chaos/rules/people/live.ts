import type { Random } from '@tributary/rig';
import { Calendar } from '../reference/calendar.ts';
import type { Batch } from '../reference/uploads.ts';
import { Diary, type Scene, type Wear } from './diary.ts';
import { addMovement, addZeros, boutsOf } from './movement.ts';
import { addNap, addNight, sleepsOf } from './nights.ts';
import { datesOfPerson, moving, type Person } from './person.ts';
import { addSportTotal, addWorkout, workoutsOf } from './sport.ts';
import { addHeart, addPressure, addVariability, addWeighIn } from './vitals.ts';

const withHeart = new Set(['watch', 'ring', 'band', 'chest_strap', 'bed_sensor']);
const withPressure = new Set(['meter', 'watch', 'manual']);
const weighing = new Set(['scale', 'manual', 'watch', 'food_app']);
const sleeping = new Set(['ring', 'watch', 'band', 'headband', 'bed_sensor', 'phone']);
const training = new Set(['watch', 'phone']);

/** The uploads of all devices of a person, in the order of their creation. */
export function live(person: Person, random: Random): Batch[] {
  const calendar = new Calendar(person.timezone);
  const diaries = person.devices.map((device, at) => new Diary(random.fork(`device ${at}`), device));
  const days = datesOfPerson(person).map((date) => calendar.day(date));
  const wears = diaries.map(({ random: own }) => days.map(() => wearOf(own)));
  for (const [at, day] of days.entries()) {
    const scene: Scene = { person, calendar, day, random: random.fork(day.date) };
    const bouts = boutsOf(scene);
    const { night, nap } = sleepsOf(scene);
    const workouts = workoutsOf(scene);
    for (const [index, diary] of diaries.entries()) {
      const { kind } = diary.device;
      const wear = wears[index]![at]!;
      if (moving.has(kind)) addMovement(diary, scene, bouts, wear, wears[index]![at + 1] ?? 'gap');
      if (wear === 'unworn' || wear === 'gap') continue;
      if (withHeart.has(kind)) addHeart(diary, scene, wear);
      if (withHeart.has(kind)) addVariability(diary, scene, wear);
      if (withPressure.has(kind)) addPressure(diary, scene);
      if (weighing.has(kind)) addWeighIn(diary, scene);
      if (sleeping.has(kind) && night) addNight(diary, scene, night);
      if (sleeping.has(kind) && nap && diary.random.chance(0.7)) addNap(diary, scene, nap);
      if (!training.has(kind)) continue;
      const recorded = workouts.filter(() => diary.random.chance(0.7));
      for (const workout of recorded) addWorkout(diary, scene, workout);
      if (recorded.length === 0 && diary.random.chance(0.2)) addSportTotal(diary, scene);
    }
  }
  return diaries
    .flatMap((diary) => diary.toBatches(days))
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

function wearOf(random: Random): Wear {
  return random.weighted([
    [10, 'worn'],
    [4, 'partly'],
    [2, 'briefly'],
    [2, 'unworn'],
    [2, 'gap'],
  ]);
}

/**
 * The uploads of a watch that was never worn: zeros on every day. It ranks first and was connected last. Null without an enabled provider.
 */
export function leaveInDrawer(person: Person, enabled: readonly string[], random: Random): Batch[] | null {
  if (enabled.length === 0) return null;
  const calendar = new Calendar(person.timezone);
  const days = datesOfPerson(person).map((date) => calendar.day(date));
  const firstSyncMs = days.at(-1)!.endMs + 30 * 86_400_000;
  const device = { provider: random.pick(enabled), id: 'unworn-watch', kind: 'watch', firstSyncMs };
  const diary = new Diary(random, device);
  for (const day of days) addZeros(diary, { ...person, devices: [...person.devices, device] }, day);
  return diary.toBatches(days);
}
