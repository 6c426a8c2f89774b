import { ApiFailure } from './failure.ts';

/** Returns the server's message about one field as a sentence, or null if the field is valid. */
export function fieldProblem(error: unknown, name: string): string | null {
  const fields = error instanceof ApiFailure ? error.details['fields'] : null;
  if (!Array.isArray(fields)) return null;
  const match = fields.find((field: { name?: unknown }) => field.name === name) as
    | { problem?: unknown }
    | undefined;
  if (typeof match?.problem !== 'string') return null;
  return `${match.problem[0]!.toUpperCase()}${match.problem.slice(1)}.`;
}
