import { jsonResponse, authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { AdvanceUser } from '../resources/sandbox.ts';
import { RefTo } from '../openapi/schema.ts';
import { exampleUserDetail, UserDetail } from '../resources/user.ts';
import { UserPath } from './read-parameters.ts';

export const advanceSandboxUser = {
  operationId: 'advanceSandboxUser',
  summary: 'Advance a sandbox user',
  description:
    "Moves the current day of a sandbox user forward. The user's devices report data for the time that has passed, and data, default dates, " +
    'scores and events follow. Responds when they are up to date, or after five seconds. Live keys have no sandbox users.',
  tags: ['Sandbox'],
  params: UserPath,
  body: RefTo(AdvanceUser),
  bodyExamples: { a_day: { days: 1 } },
  response: {
    200: jsonResponse('The user on the new day.', RefTo(UserDetail), {
      ...exampleUserDetail,
      sandbox: { archetype: 'athlete', today: '2026-03-03', days_ahead: 1 },
    }),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;
