/**
 * Values of `status`. HTTP itself always returns 200. The families of codes are documented, but not which code is used when, so each of these is one
 * of its family.
 */
const statuses = {
  ok: 0,
  token: 401,
  scope: 214,
  parameter: 503,
  callback: 293,
  tooMany: 601,
} as const;

export type Problem = Exclude<keyof typeof statuses, 'ok'>;

/** Ends a call with a status other than success. */
export class Refused extends Error {
  readonly status: number;

  constructor(problem: Problem) {
    super(problem);
    this.status = statuses[problem];
  }
}

/** Success, in the envelope of every response. */
export function successResponse(body: object): object {
  return { status: statuses.ok, body };
}

/** Any other status, in the same envelope. */
export function refusal(status: number): object {
  return { status, body: {} };
}
