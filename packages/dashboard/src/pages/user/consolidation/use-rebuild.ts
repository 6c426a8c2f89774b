import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { saveConfiguration, type ConsolidationPatch } from '../../../api/consolidation.ts';
import type { Whose } from '../../../api/health.ts';
import { followEvents } from '../../../api/client/stream.ts';
import { toast } from '../../../components/feedback/toast.tsx';

/** Reloads the values after this time even without an event. */
const mostWaitMs = 60_000;

/** Saves settings and follows events until history has been recomputed. */
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
      // Subscribes first, because the event may arrive before the response has been read.
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
      toast(status === 'unchanged' ? 'No changes to save' : 'Values recomputed');
    } finally {
      ending.abort();
      setRebuilding(false);
    }
  }
  return { isRebuilding, saving: useMutation({ mutationFn: save }) };
}
