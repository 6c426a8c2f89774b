import type { ProviderRowWire } from '@tributary/contract';
import type { Tone } from '../../components/feedback/badge.tsx';

export interface ProviderCondition {
  word: string;
  tone: Tone;
  isUsual: boolean;
}

const conditions: Record<ProviderRowWire['state'], ProviderCondition> = {
  refusing: { word: 'Failing', tone: 'bad', isUsual: false },
  slow: { word: 'Slow', tone: 'warn', isUsual: false },
  working: { word: 'Working', tone: 'ok', isUsual: true },
  available: { word: 'Available', tone: 'plain', isUsual: true },
  needs_credentials: { word: 'Needs credentials', tone: 'plain', isUsual: true },
};

export function conditionOf({ state }: Pick<ProviderRowWire, 'state'>): ProviderCondition {
  return conditions[state];
}

/** Broken providers come first. */
export const groups = [
  { title: 'Needs attention', has: ({ state }) => state === 'refusing' || state === 'slow' },
  { title: 'Working', has: ({ state, kind }) => state === 'working' && kind === 'cloud' },
  { title: 'Available', has: ({ state, kind }) => state === 'available' && kind === 'cloud' },
  { title: 'Needs credentials', has: ({ state }) => state === 'needs_credentials' },
  {
    title: 'On device',
    has: ({ kind, state }) => kind === 'on_device' && (state === 'working' || state === 'available'),
  },
] as const satisfies readonly {
  title: string;
  has: (row: Pick<ProviderRowWire, 'state' | 'kind'>) => boolean;
}[];

const kinds: Record<string, string> = {
  unauthorized: 'The provider rejected the token. We request a new one.',
  consent_ended: 'Consent has ended. Only the user can grant it again.',
  forbidden: 'The user did not grant a permission, or a membership has lapsed.',
  limited: 'Too many requests. We wait until the provider allows more.',
  unavailable: 'The provider is temporarily unavailable. We retry.',
  refused: 'The provider rejected the request.',
  gone: 'A document no longer exists.',
};

/** Explains an error and who can fix it. */
export function describeErrorKind(kind: string): string {
  return kinds[kind] ?? 'Unexpected error. The service retries.';
}

export const stateWords: Record<keyof ProviderRowWire['by_state'], string> = {
  fresh: 'Fresh',
  late: 'Late',
  silent: 'Silent',
  ended: 'Access ended',
  pending: 'Connecting',
  on_device: 'On device',
};
