export interface JsonPart {
  kind: 'key' | 'string' | 'number' | 'word' | null;
  text: string;
  at: number;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

/** Splits formatted JSON into colored and plain parts. */
export function jsonParts(text: string): JsonPart[] {
  const parts: JsonPart[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon, digits] = match;
    if (match.index > end) parts.push({ kind: null, text: text.slice(end, match.index), at: end });
    const kind = string ? (colon ? 'key' : 'string') : digits ? 'number' : 'word';
    parts.push({ kind, text: string ?? whole, at: match.index });
    end = match.index + (string ?? whole).length;
  }
  parts.push({ kind: null, text: text.slice(end), at: end });
  return parts;
}
