import { Badge, State } from '../../components/feedback/badge.tsx';
import type { Condition } from './webhook-text.ts';

export function ConditionMark({ condition: { tone, word, isUsual } }: { condition: Condition }) {
  if (isUsual) return <State tone={tone === 'ok' ? 'ok' : 'plain'}>{word}</State>;
  return <Badge tone={tone}>{word}</Badge>;
}
