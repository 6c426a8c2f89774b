import { ApiFailure } from './failure.ts';

/** What the server found wrong with one field, as a sentence under it; null when it found nothing. */
export function fieldProblem(error: unknown, name: string): string | null {
  const fields = error instanceof ApiFailure ? error.details['fields'] : null;
  if (!Array.isArray(fields)) return null;
  const found = fields.find((field: { name?: unknown }) => field.name === name) as
    | { problem?: unknown }
    | undefined;
  if (typeof found?.problem !== 'string') return null;
  return `${found.problem[0]!.toUpperCase()}${found.problem.slice(1)}.`;
}
