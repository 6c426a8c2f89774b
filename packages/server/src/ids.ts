import { randomInt } from 'node:crypto';
import { fromUUID, toUUID, fromString } from 'typeid-js';
import { v7 } from 'uuid';
import type { Clock } from './clock.ts';

/** Readable prefixes of ids over the API. Inside, ids are plain UUIDs. */
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
  | 'op'
  | 'oli';

/** Makes UUIDv7 ids that sort by the clock, and in order of making within one millisecond. */
export function createIdSource(clock: Clock): () => string {
  let lastMs = 0;
  let sequence = 0;
  return () => {
    const now = clock.now();
    if (now > lastMs) {
      lastMs = now;
      sequence = randomInt(0x7fff_ffff);
    } else {
      sequence += 1; // also when the clock stepped back: order within the process is kept
    }
    return v7({ msecs: lastMs, seq: sequence });
  };
}

/** `user`, UUID → `user_01jcqz4w5ve9prdk6r9f4vg1yx`. */
export function formatId(prefix: IdPrefix, uuid: string): string {
  return fromUUID(uuid, prefix);
}

/** One spelling an id: lower case, Crockford's alphabet, and no more than 128 bits. */
const suffix = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

/** The UUID behind an id of the API, or null when it is not an id of this kind. */
export function parseId(prefix: IdPrefix, id: string): string | null {
  if (!id.startsWith(`${prefix}_`) || !suffix.test(id.slice(prefix.length + 1))) return null;
  try {
    return toUUID(fromString(id, prefix));
  } catch {
    return null; // 128 bits that are no UUID: its version and variant are not free
  }
}

/** A plain UUID of the API in its one spelling inside, or null when it is none. */
export function parseUuid(text: string): string | null {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : null;
}
