/**
 * What `status` says; HTTP itself always answers 200. The families are documented, which number of a family is told when is not: each of these is
 * one of its family.
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

/** Ends a call with one of the statuses that are not success. */
export class Refused extends Error {
  readonly status: number;

  constructor(problem: Problem) {
    super(problem);
    this.status = statuses[problem];
  }
}

/** Success, in the envelope that every answer has. */
export function answer(body: object): object {
  return { status: statuses.ok, body };
}

/** Anything else, in the same envelope. */
export function refusal(status: number): object {
  return { status, body: {} };
}
