import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { saveConfiguration, type ConsolidationPatch } from '../../api/consolidation.ts';
import type { Whose } from '../../api/health.ts';
import { followEvents } from '../../api/stream.ts';
import { toast } from '../../components/toast.tsx';

/** After this the values are read again, event or not. */
const mostWaitMs = 60_000;

/** Stores settings, and follows the events until history has been worked out anew. */
export function useRebuild(whose: Whose, onSaved: () => void) {
  const client = useQueryClient();
  const [isRebuilding, setRebuilding] = useState(false);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const refresh = () => client.invalidateQueries({ queryKey: ['user', whose.environment, whose.userId] });
  async function save(patch: ConsolidationPatch): Promise<void> {
    const ending = new AbortController();
    stop.current = ending;
    const steps = followEvents({ ...whose, types: ['subject.synced'] }, ending.signal);
    try {
      // First of all somebody listens: the event may come before the answer has been read.
      await steps.next();
      const { status } = await saveConfiguration(whose, patch);
      onSaved();
      if (status === 'reconsolidating') {
        setRebuilding(true);
        const timer = setTimeout(() => ending.abort(), mostWaitMs);
        for (let step = await steps.next(); !step.done; step = await steps.next())
          if (step.value.kind === 'event') break;
        clearTimeout(timer);
      }
      await refresh();
      toast(status === 'unchanged' ? 'It was so already' : 'Values are rebuilt');
    } finally {
      ending.abort();
      setRebuilding(false);
    }
  }
  return { isRebuilding, saving: useMutation({ mutationFn: save }) };
}
