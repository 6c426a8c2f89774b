import { createHash } from 'node:crypto';

/** A number that is always the same for the same words. */
export function idOf(...words: string[]): number {
  return digest(words).readUIntBE(0, 6);
}

/** The tracker, scale or cuff of a person. */
export function deviceIdOf(personId: string, device: Device): string {
  return digest(['device', personId, device]).toString('hex').slice(0, 40);
}

export type Device = 'watch' | 'mat' | 'scale' | 'cuff';

/** Half of the people sleep on a mat. The watch records the sleep of the others. */
export function sleepsOnMat(personId: string): boolean {
  return idOf('mat', personId) % 2 === 0;
}

function digest(words: string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(words)).digest();
}
