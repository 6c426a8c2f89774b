import { jsonResponse, authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import {
  CreateMobileToken,
  CreateUserToken,
  exampleMobileToken,
  exampleUserToken,
  Token,
} from '../resources/token.ts';

const tokenErrors = errors('invalid_request', ...authenticatedErrors, 'not_found', 'payload_too_large');

export const createUserToken = {
  operationId: 'createUserToken',
  summary: 'Issue a user token',
  description:
    'Issues a JWT that lets an app read one user for one hour. Verify it with the keys at `/.well-known/jwks.json`.',
  tags: ['Tokens'],
  body: RefTo(CreateUserToken),
  bodyExamples: { for_ada: { user_id: exampleUserToken.user_id } },
  response: { 200: jsonResponse('The token.', RefTo(Token), exampleUserToken), ...tokenErrors },
} satisfies Operation;

export const refreshUserToken = {
  operationId: 'refreshUserToken',
  summary: 'Refresh a user token',
  description: 'Issues a new token for the same user. Earlier tokens stay valid until they expire.',
  tags: ['Tokens'],
  body: RefTo(CreateUserToken),
  bodyExamples: { for_ada: { user_id: exampleUserToken.user_id } },
  response: { 200: jsonResponse('The new token.', RefTo(Token), exampleUserToken), ...tokenErrors },
} satisfies Operation;

export const createMobileToken = {
  operationId: 'createMobileToken',
  summary: 'Issue a mobile token',
  description:
    'Issues a single-use token, valid for five minutes, with which the Mobile SDK starts. It is not a REST credential.',
  tags: ['Tokens'],
  body: RefTo(CreateMobileToken),
  bodyExamples: {
    all_categories: { user_id: exampleMobileToken.user_id },
    some_categories: { user_id: exampleMobileToken.user_id, scopes: ['activity', 'sleep'] },
  },
  response: { 200: jsonResponse('The token.', RefTo(Token), exampleMobileToken), ...tokenErrors },
} satisfies Operation;
