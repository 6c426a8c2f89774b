import { Type, type Static } from 'typebox';
import { accessOutcomes, credentialTypes } from '../names.ts';
import { CalendarDate, Component, Nullable, RefTo, Timestamp, Words } from '../openapi/schema.ts';
import { exampleUser } from './user.ts';

export const AccessRecord = Component(
  'AccessRecord',
  Type.Object(
    {
      id: Type.String({ description: 'Access record identifier.' }),
      at: Timestamp,
      credential: Type.Object(
        {
          type: Words(credentialTypes, {
            description:
              '`api_key`: an API key. `user_token`: a user token. `operator`: a session of a dashboard user.',
          }),
          id: Type.String({ description: 'The id of the API key, user token or dashboard user.' }),
        },
        { description: 'The credential that read the data.' },
      ),
      user_id: Nullable(
        Type.String({
          description:
            'The user whose data was read. Null for responses that may concern several users, such as the list of users or the events of all users.',
        }),
      ),
      operation: Type.String({
        description: 'The `operationId` in this API description, or an operation of the dashboard.',
      }),
      first_day: Nullable({
        ...CalendarDate,
        description: 'The first day that was requested. Null if the operation has no days.',
      }),
      last_day: Nullable({
        ...CalendarDate,
        description: 'The last day that was requested. Null if the operation has no days.',
      }),
      outcome: Words(accessOutcomes, {
        description:
          '`returned`: the data was returned. `not_modified`: the client had the current data already (304). `headers_only`: a HEAD request.',
      }),
    },
    { description: "A read of a user's data, without the data." },
  ),
);

export const AccessRecordList = Component(
  'AccessRecordList',
  Type.Object(
    {
      data: Type.Array(RefTo(AccessRecord)),
      next_cursor: Nullable(
        Type.String({ description: 'Send it back as `cursor`. Null at the end of the list.' }),
      ),
    },
    { description: 'A page of access records, newest first.' },
  ),
);

export type AccessRecordWire = Static<typeof AccessRecord>;

export const exampleAccessRecord: AccessRecordWire = {
  id: 'acr_01jcqz7m3ye5xvv9b1s6k0n4pd',
  at: '2026-03-02T07:14:31.120Z',
  credential: { type: 'api_key', id: 'key_01jcqz4w5ve9prdk6r9f4vg1yx' },
  user_id: exampleUser.id,
  operation: 'listDaily',
  first_day: '2026-02-01',
  last_day: '2026-02-28',
  outcome: 'returned',
};
