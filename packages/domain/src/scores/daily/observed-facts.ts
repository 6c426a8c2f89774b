import type { ValueSpan } from '../../samples/value-spans.ts';
import type { Span } from '../../spans.ts';
import { stepHoursOf, type StepHours } from './active-hours.ts';
import { glucoseFactsOf, type GlucoseFacts } from './glucose-facts.ts';
import { heartRateDipOf } from './heart-rate-dip.ts';
import { longestInactivityOf } from './longest-inactivity.ts';

/** What samples show about a day besides scores. Stored with the facts for scores. Null for what they do not show. */
export interface ObservedFacts {
  readonly stepHours: StepHours | null;
  /** In minutes. */
  readonly longestInactivity: number | null;
  /** In percent. */
  readonly heartRateDip: number | null;
  readonly glucose: GlucoseFacts | null;
}

interface ObservedInput extends Span {
  readonly heartRate: readonly ValueSpan[];
  readonly steps: readonly ValueSpan[];
  readonly glucose?: readonly ValueSpan[];
  readonly sleep: readonly (Span & { readonly isMain?: boolean })[];
}

/** Undefined if samples show nothing. */
export function observedFactsOf(day: ObservedInput): ObservedFacts | undefined {
  const facts = {
    stepHours: stepHoursOf(day.steps, day),
    longestInactivity: longestInactivityOf(day),
    heartRateDip: heartRateDipOf(day),
    glucose: glucoseFactsOf(day.glucose ?? [], day),
  };
  return Object.values(facts).some((fact) => fact !== null) ? facts : undefined;
}
