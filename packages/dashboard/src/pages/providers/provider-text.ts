import type { ProviderRowWire } from '@tributary/contract';
import type { Tone } from '../../components/badge.tsx';

export interface ProviderCondition {
  word: string;
  tone: Tone;
  isUsual: boolean;
}

const conditions: Record<ProviderRowWire['state'], ProviderCondition> = {
  refusing: { word: 'Refusing', tone: 'bad', isUsual: false },
  slow: { word: 'Slow', tone: 'warn', isUsual: false },
  working: { word: 'Working', tone: 'ok', isUsual: true },
  available: { word: 'Available', tone: 'plain', isUsual: true },
  needs_credentials: { word: 'Needs credentials', tone: 'plain', isUsual: true },
};

export function conditionOf({ state }: Pick<ProviderRowWire, 'state'>): ProviderCondition {
  return conditions[state];
}

/** What broke comes first. */
export const groups = [
  { title: 'Needs you', has: ({ state }) => state === 'refusing' || state === 'slow' },
  { title: 'Working', has: ({ state, kind }) => state === 'working' && kind === 'cloud' },
  { title: 'Available', has: ({ state, kind }) => state === 'available' && kind === 'cloud' },
  { title: 'Needs credentials', has: ({ state }) => state === 'needs_credentials' },
  {
    title: 'On the phone',
    has: ({ kind, state }) => kind === 'on_device' && (state === 'working' || state === 'available'),
  },
] as const satisfies readonly {
  title: string;
  has: (row: Pick<ProviderRowWire, 'state' | 'kind'>) => boolean;
}[];

const kinds: Record<string, string> = {
  unauthorized: 'The token is not accepted; we ask for another',
  consent_ended: 'The consent is over; only the person can give it again',
  forbidden: 'A permission was not granted, or a membership has lapsed',
  limited: 'Too many calls; we wait until the provider allows more',
  unavailable: 'The provider is broken for now; we try again',
  refused: 'The provider did not accept what we asked',
  gone: 'A document is not there any more',
};

/** What an error means, and who mends it. */
export function sayKind(kind: string): string {
  return kinds[kind] ?? 'Something that we did not expect; the service tries again';
}

export const stateWords: Record<keyof ProviderRowWire['by_state'], string> = {
  fresh: 'Fresh',
  late: 'Late',
  silent: 'Silent',
  ended: 'Consent over',
  pending: 'Connecting',
  on_device: 'On the phone',
};
