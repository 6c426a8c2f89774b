/** Longer words are not compared: the cost grows with the product of both lengths. */
const longest = 64;

/** The candidate that a misspelled name most likely means; null if none is close. Case and separators do not count as mistakes. */
export function suggest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > longest) return null;
  const word = normalize(name);
  if (word === '') return null;
  const allowed = Math.min(3, Math.max(1, Math.floor(word.length / 4)));
  let best: string | null = null;
  let least = allowed + 1;
  for (const candidate of candidates) {
    const other = normalize(candidate);
    if (Math.abs(other.length - word.length) >= least) continue;
    const distance = distanceOf(word, other);
    if (distance >= least) continue;
    [best, least] = [candidate, distance];
  }
  return best;
}

/** The only candidate that begins or ends with the name, such as `start_date` for `start`. */
function findWithPart(name: string, candidates: Iterable<string>): string | null {
  const word = name.toLowerCase();
  if (word.length < 3) return null;
  const matches = [...candidates].filter((candidate) => {
    const parts = candidate.toLowerCase().split(/[\s_-]/);
    return parts[0] === word || parts.at(-1) === word;
  });
  return matches.length === 1 ? matches[0]! : null;
}

/** ` Did you mean …?` for an error message; empty if no candidate is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const suggestion = suggest(name, candidates) ?? findWithPart(name, candidates);
  return suggestion === null ? '' : ` Did you mean \`${suggestion}\`?`;
}

function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Insertions, deletions, substitutions and swaps of neighbors that turn one word into the other. */
function distanceOf(one: string, other: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1;
      let value = Math.min(current[column - 1]! + 1, previous[column]! + 1, previous[column - 1]! + cost);
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) value = Math.min(value, beforePrevious[column - 2]! + 1);
      current.push(value);
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[other.length]!;
}
