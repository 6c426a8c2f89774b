import { Type, type Static } from 'typebox';
import { Device, exampleDevice } from './device.ts';
import { archetypes } from './sandbox.ts';
import { CalendarDate, Component, Nullable, RefTo, textRule, Timestamp, Words } from '../openapi/schema.ts';

/** A name chosen by the API client. */
export const referenceId = { minLength: 1, maxLength: 255, format: 'text' } as const;

const references = {
  reference_id: Type.Optional(
    Type.String({
      ...referenceId,
      description: `Your own identifier for the user, unique in its environment. ${textRule}`,
    }),
  ),
  external_ref: Type.Optional(
    Type.String({
      ...referenceId,
      description: `The Form 2 name of \`reference_id\`. You can send both if they are equal. ${textRule}`,
    }),
  ),
};

const Timezone = Type.String({
  format: 'timezone',
  maxLength: 64,
  description:
    'IANA time zone name such as `Europe/Berlin`, not an offset (format `timezone`). Data is split into days in this time zone. UTC when null.',
});

const EffectiveFrom = Type.String({
  format: 'date-or-all',
  description:
    'The first day that the new `timezone` applies to: a date, YYYY-MM-DD, no later than today, or `all` (format `date-or-all`). Later changes of the time zone are replaced, and the data since then is split into days again. Requires `timezone`. Without it, the new time zone applies from now on and earlier days stay as they are. If the user had no time zone yet, it applies to all days.',
});

const sexes = ['female', 'male', 'other'] as const;
const goalLimits = { maxProperties: 50, propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' } } as const;

const birthDate = Type.String({
  format: 'date',
  description: 'YYYY-MM-DD, from 1900 to today.',
});
const heightCm = Type.Number({ minimum: 30, maximum: 300, description: 'Height in cm.' });
const weightKg = Type.Number({ minimum: 1, maximum: 700, description: 'Weight in kg.' });
const maxHeartRate = Type.Number({ minimum: 60, maximum: 260, description: 'Maximum heart rate in bpm.' });
const Goals = Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1_000_000 }), {
  ...goalLimits,
  description: 'Daily goals: metric id → number in the unit of the metric.',
});

export const Profile = Component(
  'Profile',
  Type.Object(
    {
      birth_date: Nullable(CalendarDate),
      sex: Nullable(Words(sexes)),
      height_cm: Nullable(Type.Number({ description: 'Height in cm.' })),
      weight_kg: Nullable(Type.Number({ description: 'Weight in kg.' })),
      max_heart_rate: Nullable(Type.Number({ description: 'Maximum heart rate in bpm.' })),
      goals: Type.Record(Type.String(), Type.Number(), {
        description: 'Daily goals: metric id → number in the unit of the metric.',
      }),
    },
    { description: 'Information about the user. Each field is null until set.' },
  ),
);

export const ProfileInput = Component(
  'ProfileInput',
  Type.Object(
    {
      birth_date: Type.Optional(Nullable(birthDate)),
      sex: Type.Optional(Nullable(Words(sexes))),
      height_cm: Type.Optional(Nullable(heightCm)),
      weight_kg: Type.Optional(Nullable(weightKg)),
      max_heart_rate: Type.Optional(Nullable(maxHeartRate)),
      goals: Type.Optional(Goals),
    },
    { description: 'Only the supplied fields change. Null clears a field. `goals` is replaced as a whole.' },
  ),
);

const userFields = {
  id: Type.String({ description: 'User identifier.' }),
  reference_id: Type.String({ description: 'Your own identifier for the user.' }),
  external_ref: Type.String({ description: 'The Form 2 name of `reference_id`.' }),
  timezone: Nullable(Type.String({ description: 'The current time zone, an IANA name. Null means UTC.' })),
  status: Words(['active', 'deleting'], {
    description: 'Users with status `deleting` are not returned by any read.',
  }),
  score_status: Words(['pending', 'computing', 'ready'], {
    description: '`pending` until there is data to score.',
  }),
  last_sync_at: Nullable(Timestamp),
  last_score_at: Nullable(Timestamp),
  created_at: Timestamp,
};

export const User = Component(
  'User',
  Type.Object(userFields, { description: 'A person whose data is stored.' }),
);

export const Sync = Component(
  'Sync',
  Type.Object(
    {
      state: Words(['never_synced', 'processing', 'up_to_date'], {
        description: '`processing` while received data is not yet in responses.',
      }),
      last_batch_at: Nullable(Timestamp),
      pending_batches: Type.Integer({
        minimum: 0,
        description: 'Number of batches received but not yet in responses.',
      }),
    },
    { description: "How much of the user's data has been processed." },
  ),
);

export const SandboxState = Component(
  'SandboxState',
  Type.Object(
    {
      archetype: Words([...archetypes, 'none'], {
        description: 'The simulated user that the data is generated for.',
      }),
      today: CalendarDate,
      days_ahead: Type.Integer({
        minimum: 0,
        description: 'Number of days that `today` has been moved forward.',
      }),
    },
    { description: 'A sandbox user has its own current day, which `advance` moves forward.' },
  ),
);

export const UserDetail = Component(
  'UserDetail',
  Type.Object(
    {
      ...userFields,
      profile: RefTo(Profile),
      devices: Type.Array(RefTo(Device)),
      sync: RefTo(Sync),
      sandbox: Type.Optional(RefTo(SandboxState)),
    },
    { description: 'A user with profile, devices and sync state.' },
  ),
);

export const UserDeletion = Component(
  'UserDeletion',
  Type.Object(
    { id: Type.String({ description: 'User identifier.' }), status: Words(['deleting']) },
    {
      description:
        'The deletion is accepted. The user disappears from every read immediately, and the data is erased afterwards.',
    },
  ),
);

/** Form 1 wraps the object that Form 2 returns. */
export const UserEnvelope = Component(
  'UserEnvelope',
  Type.Object({ data: RefTo(UserDetail) }, { description: 'Form 1: a user in its envelope.' }),
);

export const UserDeletionEnvelope = Component(
  'UserDeletionEnvelope',
  Type.Object({ data: RefTo(UserDeletion) }, { description: 'Form 1: a deletion in its envelope.' }),
);

const PageMeta = Type.Object(
  {
    page: Type.Integer({ description: 'The number of this page, starting at 1.' }),
    per_page: Type.Integer({ description: 'The maximum number of users per page.' }),
    total: Type.Integer({ description: 'The exact number of users on all pages.' }),
  },
  { title: 'PageMeta', description: 'The position of this page.' },
);

export const UserPage = Component(
  'UserPage',
  Type.Object(
    { data: Type.Array(RefTo(User)), meta: PageMeta },
    { description: 'Form 1: a numbered page of users.' },
  ),
);

export const UserList = Component(
  'UserList',
  Type.Object(
    {
      data: Type.Array(RefTo(User)),
      next_cursor: Nullable(
        Type.String({ description: 'Send it back as `cursor`. Null at the end of the list.' }),
      ),
    },
    { description: 'Form 2: a page of users.' },
  ),
);

/** Response schemas of the user operations. */
export const userResponse = { form1: RefTo(UserEnvelope), form2: RefTo(UserDetail) };
export const userListResponse = { form1: RefTo(UserPage), form2: RefTo(UserList) };
export const userDeletionResponse = { form1: RefTo(UserDeletionEnvelope), form2: RefTo(UserDeletion) };

const changeableFields = {
  ...references,
  timezone: Type.Optional(Nullable(Timezone)),
  profile: Type.Optional(RefTo(ProfileInput)),
};

const SandboxInput = Type.Object(
  {
    archetype: Type.Optional(
      Words([...archetypes, 'none'], {
        description:
          'The simulated user whose week is generated. Default: chosen by the reference, among the users who work out. `none`: no data.',
      }),
    ),
  },
  { description: 'Only with a sandbox key: the kind of sandbox user to create.' },
);

export const CreateUser = Component(
  'CreateUser',
  Type.Object(
    { ...changeableFields, sandbox: Type.Optional(SandboxInput) },
    {
      anyOf: [
        { title: 'Form 1', required: ['reference_id'] },
        { title: 'Form 2', required: ['external_ref'] },
      ],
    },
  ),
);

export const UpdateUser = Component(
  'UpdateUser',
  Type.Object(
    { ...changeableFields, timezone_effective_from: Type.Optional(EffectiveFrom) },
    { description: 'Only the supplied fields change.' },
  ),
);

export type UserWire = Static<typeof User>;
export type UserDetailWire = Static<typeof UserDetail>;
export type ProfileWire = Static<typeof Profile>;
export type ProfileInputWire = Static<typeof ProfileInput>;
export type CreateUserWire = Static<typeof CreateUser>;
export type UpdateUserWire = Static<typeof UpdateUser>;

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
