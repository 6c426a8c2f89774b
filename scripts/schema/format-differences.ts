import { diff } from 'node:util';

const contextLines = 3;
const mostShown = 80;

/** The lines that differ between two texts, with some context: `-` is only in the first, `+` only in the second. */
export function formatDifferences(before: string, after: string): string[] {
  const changes = diff(before.split('\n'), after.split('\n'));
  const isNear = changes.map((_, at) =>
    changes
      .slice(Math.max(0, at - contextLines), at + contextLines + 1)
      .some(([operation]) => operation !== 0),
  );
  const lines: string[] = [];
  for (const [at, [operation, text]] of changes.entries()) {
    if (!isNear[at]) continue;
    if (at > 0 && !isNear[at - 1] && lines.length > 0) lines.push('  …');
    lines.push(`  ${operation === 0 ? ' ' : operation === 1 ? '-' : '+'} ${text}`);
  }
  const rest = lines.length - mostShown;
  return rest > 0 ? [...lines.slice(0, mostShown), `  and ${rest} more lines`] : lines;
}
