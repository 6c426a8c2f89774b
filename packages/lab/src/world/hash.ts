/** A number from 0 to 1 (never 1) that is always the same for the same words and unrelated to that of other words. */
export function chanceOf(...words: readonly (string | number)[]): number {
  const text = words.join('\u001f');
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code ^ (high >>> 15), 0x5bd1e995);
  }
  high = mix(high ^ (low >>> 7));
  low = mix(low ^ high);
  // 53 bits, the precision of a number.
  return ((high >>> 0) * 2 ** 21 + (low >>> 11)) / 2 ** 53;
}

/** Digits derived from the words, of the given length and without a leading zero. */
export function digitsOf(length: number, ...words: readonly (string | number)[]): string {
  const lowest = 10 ** (length - 1);
  return String(lowest + Math.floor(chanceOf(...words) * 9 * lowest));
}

function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
