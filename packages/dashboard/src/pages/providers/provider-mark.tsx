import type { ProviderRowWire } from '@tributary/contract';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { conditionOf } from './provider-text.ts';

export function ProviderMark({ row }: { row: ProviderRowWire }) {
  const { word, tone, isUsual } = conditionOf(row);
  if (!isUsual) return <Badge tone={tone}>{word}</Badge>;
  return <State tone={tone === 'ok' ? 'ok' : 'plain'}>{word}</State>;
}
