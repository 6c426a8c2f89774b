import { ApiError } from '@tributary/contract';

const noBearer =
  'The `Authorization` header does not start with `Bearer`. Send `Authorization: Bearer <API_KEY>`.';

/** The token of an `Authorization` header. Throws `missing_token`, or `invalid_token` for another scheme. */
export function readBearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') throw new ApiError('missing_token');
  const token = findBearerToken(authorization);
  if (token === undefined && !/^Bearer\b/i.test(authorization))
    throw new ApiError('invalid_token', { message: noBearer });
  if (token === undefined) throw new ApiError('invalid_token');
  return token;
}

/** The token of an `Authorization` header with the `Bearer` scheme. */
export function findBearerToken(authorization: string): string | undefined {
  return /^Bearer +([^\s]{1,4096})$/i.exec(authorization)?.[1];
}
