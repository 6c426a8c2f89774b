import { ApiError } from '@tributary/contract';

/** The token of an `Authorization` header; throws `missing_token`, or `invalid_token` when it is of another kind. */
export function readBearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') throw new ApiError('missing_token');
  const token = findBearerToken(authorization);
  if (token === undefined) throw new ApiError('invalid_token');
  return token;
}

/** The token of an `Authorization` header of the kind `Bearer`. */
export function findBearerToken(authorization: string): string | undefined {
  return /^Bearer +([^\s]{1,4096})$/i.exec(authorization)?.[1];
}
