import { randomFillSync, randomInt } from 'node:crypto';
import { v7, validate } from 'uuid';
import type { Clock } from './clock.ts';

/** Readable prefixes of API IDs. Internally, IDs are plain UUIDs. */
export type IdPrefix =
  | 'acc'
  | 'key'
  | 'user'
  | 'dev'
  | 'slp'
  | 'wko'
  | 'evt'
  | 'wh'
  | 'inv'
  | 'mem'
  | 'aud'
  | 'acr'
  | 'tok'
  | 'op'
  | 'oli';

/** Generates UUIDv7 IDs that sort by time, and by creation order within one millisecond. */
export function createIdSource(clock: Clock): () => string {
  let lastMs = 0;
  let sequence = 0;
  return () => {
    const now = clock.now();
    if (now > lastMs) {
      lastMs = now;
      sequence = randomInt(0x7fff_ffff);
    } else {
      sequence += 1; // also when the clock steps back, to keep the order within the process
    }
    return v7({ msecs: lastMs, seq: sequence, random: nextRandom() });
  };
}

const randomBytes = new Uint8Array(8_192);
let usedBytes = randomBytes.length;

/** 16 random bytes. Asking the system for many at once costs a fraction of what the library's small pool does. */
function nextRandom(): Uint8Array {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  usedBytes += 16;
  return randomBytes.subarray(usedBytes - 16, usedBytes);
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** Ten bits as two letters. */
const pairs = Array.from({ length: 1024 }, (_, bits) => `${alphabet[bits >> 5]!}${alphabet[bits & 31]!}`);
/** A letter by its character code as five bits, and a hexadecimal digit as four. */
const bitsOfLetter = new Uint8Array(128);
const bitsOfDigit = new Uint8Array(128);
for (const [bits, letter] of Array.from(alphabet).entries()) bitsOfLetter[letter.charCodeAt(0)] = bits;
for (const [bits, digit] of Array.from('0123456789abcdef').entries()) {
  bitsOfDigit[digit.charCodeAt(0)] = bits;
  bitsOfDigit[digit.toUpperCase().charCodeAt(0)] = bits;
}
/** Eight and twelve bits in hexadecimal digits. */
const digitsOf8 = Array.from({ length: 256 }, (_, bits) => bits.toString(16).padStart(2, '0'));
const digitsOf12 = Array.from({ length: 4096 }, (_, bits) => bits.toString(16).padStart(3, '0'));
const dash = 0x2d;

/**
 * `user`, UUID → `user_01jcqz4w5ve9prdk6r9f4vg1yx`, as in TypeID. Implemented here because every request formats and parses IDs, and the
 * library takes several times as long.
 */
export function formatId(prefix: IdPrefix, uuid: string): string {
  // The first 8 of 128 bits fill two letters, and every following 20 bits fill four.
  let id = `${prefix}_${pairs[(bitsOfDigit[uuid.charCodeAt(0)]! << 4) | bitsOfDigit[uuid.charCodeAt(1)]!]!}`;
  let bits = 0;
  let digits = 0;
  for (let at = 2; at < 36; at += 1) {
    const code = uuid.charCodeAt(at);
    if (code === dash) continue;
    bits = (bits << 4) | bitsOfDigit[code]!;
    digits += 1;
    if (digits % 5 !== 0) continue;
    id += pairs[bits >> 10]! + pairs[bits & 1023]!;
    bits = 0;
  }
  return id;
}

/** One spelling per ID: lowercase, Crockford's alphabet, and at most 128 bits. */
const suffix = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

/** The UUID of an API ID, or null when it is not an ID of this kind. */
export function parseId(prefix: IdPrefix, id: string): string | null {
  const start = prefix.length + 1;
  if (!id.startsWith(prefix) || id[prefix.length] !== '_' || !suffix.test(id.slice(start))) return null;
  let hex = digitsOf8[tenBitsAt(id, start)]!;
  for (let at = start + 2; at < start + 26; at += 4) {
    const bits = (tenBitsAt(id, at) << 10) | tenBitsAt(id, at + 2);
    hex += digitsOf12[bits >> 8]! + digitsOf8[bits & 255]!;
  }
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  // Not all 128-bit values are UUIDs: version and variant are fixed.
  return validate(uuid) ? uuid : null;
}

function tenBitsAt(id: string, at: number): number {
  return (bitsOfLetter[id.charCodeAt(at)]! << 5) | bitsOfLetter[id.charCodeAt(at + 1)]!;
}

/** Normalizes a plain UUID from the API; null when it is malformed. */
export function parseUuid(text: string): string | null {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : null;
}
