import fc from 'fast-check';

export const midnight = Date.UTC(2026, 2, 29, 0, 0);
const iso = (minutes: number) => new Date(midnight + minutes * 60_000).toISOString();
const minute = fc.integer({ min: -300, max: 300 }).map((n) => n * 7);
const id = fc.constantFrom('a', 'b', 'c');

const device = fc.record({
  provider: fc.constant('apple_health' as const),
  id: fc.constantFrom('w1', 'w2', 'p1'),
  // Sometimes a device reports different properties than before.
  kind: fc.constantFrom('watch', 'watch', 'watch', 'phone', 'ring'),
});
const series = fc.record({
  metric: fc.constantFrom('heart_rate', 'blood_oxygen'),
  start: minute.map(iso),
  interval_seconds: fc.constantFrom(30, 60, 420),
  values: fc.array(fc.integer({ min: 60, max: 100 }), { minLength: 1, maxLength: 6 }),
});
const record = fc.record(
  {
    metric: fc.constantFrom('steps', 'weight'),
    // Few times, so that records often move to the time of another one.
    start: fc
      .oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -20, max: 20 }))
      .map((n) => iso(n * 60)),
    value: fc.integer({ min: 20, max: 200 }),
    id,
  },
  { requiredKeys: ['metric', 'start', 'value'] },
);
const total = fc.record({
  metric: fc.constantFrom('steps', 'active_calories', 'resting_energy', 'total_energy', 'resting_heart_rate'),
  date: fc.constantFrom('2026-03-28', '2026-03-29', '2026-03-30'),
  value: fc.integer({ min: 40, max: 120 }),
});
const span = fc
  .tuple(fc.integer({ min: -30, max: 30 }), fc.integer({ min: 1, max: 10 }))
  .map(([from, hours]) => ({
    start: iso(from * 60),
    end: iso((from + hours) * 60),
  }));
const sleep = fc
  .tuple(id, span, fc.option(fc.integer({ min: 10, max: 100 })))
  .map(([name, when, percent]) => ({
    id: name,
    ...when,
    ...(percent === null
      ? {}
      : {
          minutes: { asleep: ((Date.parse(when.end) - Date.parse(when.start)) / 60_000) * (percent / 100) },
        }),
  }));
const workout = fc
  .tuple(id, span, fc.constantFrom('running', 'cycling', 'walking'))
  .map(([name, when, sport_type]) => ({
    id: name,
    ...when,
    sport_type,
    values: { distance: 3 },
  }));
const deletion = fc.record({ kind: fc.constantFrom('record', 'sleep', 'workout'), id });
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 });

/** An upload with random content; `created` is the order in which uploads were created, with ties. */
export const batch = fc.record({
  batch_id: fc.uuid(),
  // Few distinct creation times, so that the batch ID often has to decide.
  created: fc.integer({ min: 0, max: 4 }),
  device,
  series: few(series),
  records: fc.array(record, { maxLength: 4 }),
  daily: few(total),
  sleep: few(sleep),
  workouts: few(workout),
  deletions: few(deletion),
});
export type Generated = typeof batch extends fc.Arbitrary<infer T> ? T : never;

/** The creation time of a generated upload. */
export function createdMsOf({ created }: Generated): number {
  return midnight + 90_000_000 + created;
}

/** Uploads of one user, each with its own ID. */
export const batchesOfOnePerson = fc.uniqueArray(batch, {
  minLength: 2,
  maxLength: 6,
  selector: ({ batch_id }) => batch_id,
});
