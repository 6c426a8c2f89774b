import { dayMs } from '@tributary/domain';
import type { Span } from './provider.ts';

/** The local dates that a span may include anywhere on earth, inclusive. */
export function datesAround({ fromMs, toMs }: Span): { from: string; to: string } {
  return { from: dateAt(fromMs - dayMs), to: dateAt(toMs + dayMs) };
}

/** Splits a span into pieces of at most the given number of days, newest first. */
export function piecesOf({ fromMs, toMs }: Span, days: number): Span[] {
  const pieces: Span[] = [];
  for (let end = toMs; end > fromMs; end -= days * dayMs)
    pieces.push({ fromMs: Math.max(fromMs, end - days * dayMs), toMs: end });
  return pieces;
}

function dateAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
