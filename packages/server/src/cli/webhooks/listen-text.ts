import { eventTypes } from '@tributary/contract';
import { styleText } from 'node:util';
import type { Forwarded } from './forward-event.ts';
import { countOf, harmless } from '../sandbox/text.ts';

const typeWidth = Math.max(...eventTypes.map(({ length }) => length));
/** As wide as the time before each event. */
const margin = ' '.repeat(10);

export function describeStart(options: {
  forward: string;
  url: string;
  secret: string;
  types: readonly string[] | null;
  environment: string;
}): string {
  const rows = [
    ['from', `${options.url}, ${options.environment}`],
    ['to', options.forward],
    ['events', options.types?.join(', ') ?? 'all'],
    ['secret', styleText('bold', options.secret)],
  ] as const;
  return `\n${rows.map(([name, value]) => `${styleText('dim', name.padEnd(8))}${value}`).join('\n')}\n`;
}

/** `15:04:05  data.updated         evt_…  → 200  12 ms` */
export function describeEvent(
  at: Date,
  type: string,
  { eventId, status, failure, ms }: Forwarded,
  isAccepted: boolean,
): string {
  const outcome = styleText(
    isAccepted ? 'green' : 'red',
    status === null ? harmless(failure!) : String(status),
  );
  const took = status === null ? '' : styleText('dim', `  ${ms} ms`);
  return `${styleText('dim', clock(at))}  ${harmless(type).padEnd(typeWidth)}  ${harmless(eventId)}  → ${outcome}${took}`;
}

export function describeLoss({ reason, waitMs }: { reason: string; waitMs: number }): string {
  return `${margin}${styleText('yellow', `Disconnected: ${harmless(reason)}. Retrying in ${(waitMs / 1000).toFixed(1)} s.`)}`;
}

export function describeReturn(): string {
  return `${margin}${styleText('yellow', 'Reconnected. Resuming after the last event.')}`;
}

export function describeEnd(end: { acceptedCount: number; refused: number; cursor: string | null }): string {
  const refused = end.refused === 0 ? '' : `, ${end.refused} failed`;
  const next = end.cursor === null ? '' : `\nTo resume from here: --from-cursor ${end.cursor}`;
  return `\n${countOf(end.acceptedCount, 'event')} delivered${refused}.${next}`;
}

function clock(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
