import { answer, authenticatedErrors, errors, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';
import { CreateMobileToken, CreateUserToken, exampleMobileToken, exampleUserToken, Token } from '../token.ts';

const tokenErrors = errors('invalid_request', ...authenticatedErrors, 'not_found', 'payload_too_large');

export const createUserToken = {
  operationId: 'createUserToken',
  summary: 'Issue a user token',
  description:
    'A JWT with which an app reads one user, for one hour. Verify it with the keys at `/.well-known/jwks.json`.',
  tags: ['Tokens'],
  body: RefTo(CreateUserToken),
  bodyExamples: { for_ada: { user_id: exampleUserToken.user_id } },
  response: { 200: answer('The token', RefTo(Token), exampleUserToken), ...tokenErrors },
} satisfies Operation;

export const refreshUserToken = {
  operationId: 'refreshUserToken',
  summary: 'Renew a user token',
  description: 'A new token for the same user. Earlier ones stay valid until their own end.',
  tags: ['Tokens'],
  body: RefTo(CreateUserToken),
  bodyExamples: { for_ada: { user_id: exampleUserToken.user_id } },
  response: { 200: answer('The new token', RefTo(Token), exampleUserToken), ...tokenErrors },
} satisfies Operation;

export const createMobileToken = {
  operationId: 'createMobileToken',
  summary: 'Issue a mobile token',
  description: 'Single use, for five minutes: the Mobile SDK starts with it. Not a REST credential.',
  tags: ['Tokens'],
  body: RefTo(CreateMobileToken),
  bodyExamples: {
    all_categories: { user_id: exampleMobileToken.user_id },
    some_categories: { user_id: exampleMobileToken.user_id, scopes: ['activity', 'sleep'] },
  },
  response: { 200: answer('The token', RefTo(Token), exampleMobileToken), ...tokenErrors },
} satisfies Operation;
