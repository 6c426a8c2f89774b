import { answer, authenticatedErrors, errors, type Operation } from '../operation.ts';
import { AdvanceUser } from '../sandbox.ts';
import { RefTo } from '../schema.ts';
import { exampleUserDetail, UserDetail } from '../user.ts';
import { UserPath } from './read-parameters.ts';

export const advanceSandboxUser = {
  operationId: 'advanceSandboxUser',
  summary: 'Let days pass for a sandbox user',
  description:
    'Moves the today of a user of the sandbox forward: its devices report what happened meanwhile, and data, default dates, scores and events follow. Answers once they did, or after five seconds. With a live key there is no such user.',
  tags: ['Sandbox'],
  params: UserPath,
  body: RefTo(AdvanceUser),
  bodyExamples: { a_day: { days: 1 } },
  response: {
    200: answer('The user on its new day', RefTo(UserDetail), {
      ...exampleUserDetail,
      sandbox: { archetype: 'athlete', today: '2026-03-03', days_ahead: 1 },
    }),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;
