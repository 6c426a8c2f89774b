import { OuraRefusal } from './refusal.ts';

/** Where a list continues, together with its range, so that only the token is needed. */
export interface PageToken<Place> {
  start: string;
  end: string;
  after: Place;
}

/** Encodes an opaque token. */
export function writeToken<Place extends string | number>(token: PageToken<Place>): string {
  return Buffer.from(JSON.stringify([token.start, token.end, token.after])).toString('base64url');
}

/** Decodes a token that the lab issued. */
export function readToken<Place extends string | number>(
  text: string,
  kind: 'string' | 'number',
): PageToken<Place> {
  try {
    const [start, end, after] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    if (typeof start === 'string' && typeof end === 'string' && typeof after === kind)
      return { start, end, after: after as Place };
  } catch {
    // Falls through to the error below.
  }
  throw new OuraRefusal(400, 'Unknown next_token. Start again without it.');
}
