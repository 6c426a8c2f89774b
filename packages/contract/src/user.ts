import { Type, type Static } from 'typebox';
import { Device, exampleDevice } from './device.ts';
import { CalendarDate, Component, Nullable, RefTo, Timestamp, Words } from './schema.ts';

/** A name chosen by the customer: 1–255 characters, any script, no NUL and no broken surrogates. */
const ReferenceId = Type.String({
  minLength: 1,
  maxLength: 255,
  format: 'text',
  description: "The caller's own identifier for the user, unique in its environment",
});

const Timezone = Type.String({
  format: 'timezone',
  maxLength: 64,
  description: 'IANA timezone name, such as `Europe/Berlin`. Days are cut in it; UTC when null.',
});

const sexes = ['female', 'male', 'other'] as const;
const goalLimits = { maxProperties: 50, propertyNames: { pattern: '^[a-z][a-z0-9_]{0,63}$' } } as const;

const birthDate = Type.String({
  format: 'date',
  description: 'YYYY-MM-DD, from 1900 on and not in the future',
});
const heightCm = Type.Number({ minimum: 30, maximum: 300 });
const weightKg = Type.Number({ minimum: 1, maximum: 700 });
const maxHeartRate = Type.Number({ minimum: 60, maximum: 260, description: 'bpm' });
const Goals = Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1_000_000 }), {
  ...goalLimits,
  description: 'Daily goals: metric id → number in the unit of the metric',
});

export const Profile = Component(
  'Profile',
  Type.Object(
    {
      birth_date: Nullable(CalendarDate),
      sex: Nullable(Words(sexes)),
      height_cm: Nullable(Type.Number()),
      weight_kg: Nullable(Type.Number()),
      max_heart_rate: Nullable(Type.Number({ description: 'bpm' })),
      goals: Type.Record(Type.String(), Type.Number()),
    },
    { description: 'What is known about the person; each field is null until given' },
  ),
);

const ProfileInput = Type.Object(
  {
    birth_date: Type.Optional(Nullable(birthDate)),
    sex: Type.Optional(Nullable(Words(sexes))),
    height_cm: Type.Optional(Nullable(heightCm)),
    weight_kg: Type.Optional(Nullable(weightKg)),
    max_heart_rate: Type.Optional(Nullable(maxHeartRate)),
    goals: Type.Optional(Goals),
  },
  { description: 'Only the given fields change; null clears one; `goals` is replaced as a whole' },
);

const userFields = {
  id: Type.String({ description: 'User identifier' }),
  reference_id: Type.String({ description: "The caller's own identifier" }),
  external_ref: Type.String({ description: 'The same as `reference_id`, under its Form 2 name' }),
  timezone: Nullable(Type.String({ description: 'IANA name; null means UTC' })),
  status: Words(['active', 'deleting']),
  score_status: Words(['pending', 'computing', 'ready']),
  last_sync_at: Nullable(Timestamp),
  last_score_at: Nullable(Timestamp),
  created_at: Timestamp,
};

export const User = Component(
  'User',
  Type.Object(userFields, { description: 'A person whose data is kept' }),
);

const Sync = Type.Object({
  state: Words(['never_synced', 'processing', 'up_to_date'], {
    description: '`processing` while received data is on its way to the answers',
  }),
  last_batch_at: Nullable(Timestamp),
  pending_batches: Type.Integer({ minimum: 0 }),
});

export const UserDetail = Component(
  'UserDetail',
  Type.Object(
    { ...userFields, profile: RefTo(Profile), devices: Type.Array(RefTo(Device)), sync: Sync },
    { description: 'A user with profile, devices and sync state' },
  ),
);

export const UserDeletion = Component(
  'UserDeletion',
  Type.Object(
    { id: Type.String(), status: Words(['deleting']) },
    { description: 'Deletion is accepted: the user is gone from every read at once, the data follows' },
  ),
);

export const CreateUserBody = Type.Object(
  {
    reference_id: Type.Optional(ReferenceId),
    external_ref: Type.Optional(ReferenceId),
    timezone: Type.Optional(Nullable(Timezone)),
    profile: Type.Optional(ProfileInput),
  },
  {
    description: 'One of `reference_id` and `external_ref` is required; both are accepted when equal',
    anyOf: [{ required: ['reference_id'] }, { required: ['external_ref'] }],
    examples: [{ reference_id: 'ada', timezone: 'Europe/Berlin', profile: { birth_date: '1990-04-12' } }],
  },
);

export const UpdateUserBody = Type.Object(
  {
    reference_id: Type.Optional(ReferenceId),
    external_ref: Type.Optional(ReferenceId),
    timezone: Type.Optional(Nullable(Timezone)),
    profile: Type.Optional(ProfileInput),
  },
  {
    description: 'Only the given fields change',
    examples: [{ timezone: 'America/New_York', profile: { height_cm: 172, goals: { steps: 9000 } } }],
  },
);

export type UserWire = Static<typeof User>;
export type UserDetailWire = Static<typeof UserDetail>;
export type ProfileWire = Static<typeof Profile>;
export type ProfileInputWire = Static<typeof ProfileInput>;
export type CreateUserWire = Static<typeof CreateUserBody>;
export type UpdateUserWire = Static<typeof UpdateUserBody>;

export const exampleUser: UserWire = {
  id: 'user_01jcqz4w5ve9prdk6r9f4vg1yx',
  reference_id: 'ada',
  external_ref: 'ada',
  timezone: 'Europe/Berlin',
  status: 'active',
  score_status: 'ready',
  last_sync_at: '2026-03-02T07:14:31.120Z',
  last_score_at: '2026-03-02T07:14:33.481Z',
  created_at: '2026-01-15T09:30:00.000Z',
};

export const exampleUserDetail: UserDetailWire = {
  ...exampleUser,
  profile: {
    birth_date: '1990-04-12',
    sex: 'female',
    height_cm: 172,
    weight_kg: 64.5,
    max_heart_rate: null,
    goals: { steps: 9000 },
  },
  devices: [exampleDevice],
  sync: { state: 'up_to_date', last_batch_at: '2026-03-02T07:14:30.902Z', pending_batches: 0 },
};
