import { sha256 } from './sha256.ts';

const encoder = new TextEncoder();
const [letterA, letterB, bar] = encoder.encode('ab|') as unknown as [number, number, number];
/** Buffer for the current key. Reused, because a simulated user takes thousands of keys. */
let key = new Uint8Array(256);

/** The first eight hexadecimal digits of the SHA-256 hash of a text. */
export function shortHash(text: string): string {
  return (sha256(encoder.encode(text))[0]! >>> 0).toString(16).padStart(8, '0');
}

/** A number from 0 up to but not including 1, derived from a key. The same key gives the same number in any order and language. */
export function uniform(text: string): number {
  return uniformOf(write(text));
}

/** A number from the standard normal distribution, derived from a key (Box-Muller with two hashed numbers). */
export function normal(text: string): number {
  const length = write(text);
  key[length] = bar;
  key[length + 1] = letterA;
  const first = uniformOf(length + 2);
  key[length + 1] = letterB;
  return Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * uniformOf(length + 2));
}

/** Writes a text as UTF-8 with room for two more bytes, and returns its length. */
function write(text: string): number {
  if (key.length < text.length * 3 + 2) key = new Uint8Array(text.length * 3 + 2);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) return encoder.encodeInto(text, key).written;
    key[at] = code;
  }
  return text.length;
}

/** The first 52 bits of the hash as a fraction. */
function uniformOf(length: number): number {
  const words = sha256(key, length);
  return ((words[0]! >>> 0) * 2 ** 20 + (words[1]! >>> 12)) / 2 ** 52;
}
