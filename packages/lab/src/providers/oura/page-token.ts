import { OuraRefusal } from './refusal.ts';

/** Where a list goes on, and of which range it is, so that a token alone is enough. */
export interface PageToken<Place> {
  start: string;
  end: string;
  after: Place;
}

/** A token that says nothing to the reader. */
export function writeToken<Place extends string | number>(token: PageToken<Place>): string {
  return Buffer.from(JSON.stringify([token.start, token.end, token.after])).toString('base64url');
}

/** Reads a token that the lab gave out. */
export function readToken<Place extends string | number>(
  text: string,
  kind: 'string' | 'number',
): PageToken<Place> {
  try {
    const [start, end, after] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    if (typeof start === 'string' && typeof end === 'string' && typeof after === kind)
      return { start, end, after: after as Place };
  } catch {
    // Falls through to the refusal.
  }
  throw new OuraRefusal(400, 'next_token is none that was given out: begin again without it.');
}
