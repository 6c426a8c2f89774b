import { expectTypeOf, test } from 'vitest';
import {
  ApiError,
  NotFoundError,
  type ServerError,
  type Event,
  type OperationErrors,
  type Result,
  Tributary,
  TributaryUser,
  type DailyRow,
  type User,
  type UserDetail,
} from './index.ts';

// These tests check types. `npm run types` fails if one is wrong; nothing here is executed.
declare const one: Tributary<1>;
declare const two: Tributary<2>;
const options = { baseUrl: 'https://health.example.com', apiKey: 'sk_live_x' };

test('the form fixes the types', () => {
  expectTypeOf(new Tributary({ ...options, form: 2 })).toEqualTypeOf<Tributary<2>>();
  expectTypeOf(new Tributary({ ...options, form: 1 })).toEqualTypeOf<Tributary<1>>();
  expectTypeOf<Awaited<ReturnType<typeof one.users.get>>>().toEqualTypeOf<{ data: UserDetail }>();
  expectTypeOf<Awaited<ReturnType<typeof two.users.get>>>().toEqualTypeOf<UserDetail>();
  expectTypeOf<Parameters<typeof one.users.create>[0]>().toHaveProperty('reference_id').toBeString();
  expectTypeOf<Parameters<typeof two.users.create>[0]>().toHaveProperty('external_ref').toBeString();
  expectTypeOf<Parameters<typeof two.users.create>[0]>().not.toHaveProperty('reference_id');
  expectTypeOf<Parameters<typeof one.daily.list>[1]>().toHaveProperty('start_date').toBeString();
  expectTypeOf<Parameters<typeof two.daily.list>[1]>().toEqualTypeOf<
    | {
        types?: string | readonly string[] | undefined;
        from_date?: string | undefined;
        to_date?: string | undefined;
        unit_system?: 'metric' | 'imperial' | undefined;
        include_sources?: boolean | undefined;
        include_reasons?: boolean | undefined;
      }
    | undefined
  >();
});

test('parameters that are required cannot be omitted', () => {
  const calls = () => [
    // @ts-expect-error -- Form 1 requires both dates
    one.daily.list('user_1', { start_date: '2026-03-01' }),
    // @ts-expect-error -- Form 2 has other names
    two.daily.list('user_1', { start_date: '2026-03-01' }),
    // @ts-expect-error -- the identifier
    two.users.get(),
    // @ts-expect-error -- the form
    new Tributary(options),
    // @ts-expect-error -- a third form
    new Tributary({ ...options, form: 3 }),
    // @ts-expect-error -- the reference
    two.users.create({}),
    // @ts-expect-error -- an unknown event
    two.webhooks.create({ url: 'https://example.com', events: ['data.created'] }),
  ];
  expectTypeOf(calls).toBeFunction();
});

test('lists are pages and iterables of their items', () => {
  const list = () => one.daily.list('user_1', { start_date: '2026-03-01', end_date: '2026-03-02' });
  expectTypeOf<ReturnType<typeof list>>().toExtend<AsyncIterable<DailyRow>>();
  expectTypeOf<Awaited<ReturnType<typeof list>>>().toHaveProperty('data').toEqualTypeOf<DailyRow[]>();
  expectTypeOf<ReturnType<typeof two.users.list>>().toExtend<AsyncIterable<User>>();
  expectTypeOf<Awaited<ReturnType<typeof two.users.list>>>().toHaveProperty('hasNextPage').toBeBoolean();
  expectTypeOf<ReturnType<typeof two.daily.list>>().not.toExtend<AsyncIterable<unknown>>();
  expectTypeOf<ReturnType<ReturnType<typeof two.users.get>['ifChanged']>>().toEqualTypeOf<
    Promise<Result<UserDetail> | null>
  >();
});

test('error codes are literals, by class and by operation', () => {
  expectTypeOf<NotFoundError['code']>().toEqualTypeOf<'not_found' | 'user_not_found' | 'workout_not_found'>();
  expectTypeOf<ServerError['code']>().toEqualTypeOf<
    'internal_error' | 'unavailable' | 'unexpected_response'
  >();
  const caught = (error: unknown) => {
    if (error instanceof NotFoundError) expectTypeOf(error.code).not.toBeAny();
    // @ts-expect-error -- no such code
    return error instanceof ApiError && error.code === 'not_here';
  };
  expectTypeOf(caught).toBeFunction();
  expectTypeOf<OperationErrors['workouts.get']>().toExtend<ApiError['code']>();
  expectTypeOf<'workout_not_found'>().toExtend<OperationErrors['workouts.get']>();
  expectTypeOf<'workout_not_found'>().not.toExtend<OperationErrors['users.get']>();
});

test('a user token only has reads of its user', () => {
  const user = () => new TributaryUser({ ...options, userToken: 'x', form: 2 });
  expectTypeOf<keyof ReturnType<typeof user>>().toEqualTypeOf<
    'devices' | 'daily' | 'scores' | 'timeseries' | 'sleep' | 'workouts'
  >();
  expectTypeOf<keyof ReturnType<typeof user>['devices']>().toEqualTypeOf<'list'>();
});

test('events are typed by their kind', () => {
  expectTypeOf<ReturnType<typeof two.events.follow>>().toExtend<
    AsyncIterable<{ event: Event; cursor: string }>
  >();
  expectTypeOf<Event['event_type']>().toEqualTypeOf<
    | 'data.updated'
    | 'score.updated'
    | 'device.connected'
    | 'device.disconnected'
    | 'subject.synced'
    | 'user.deleted'
  >();
});
