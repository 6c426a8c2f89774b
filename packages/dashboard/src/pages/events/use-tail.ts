import type { EventRowWire } from '@tributary/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Environment } from '../../api/client/client.ts';
import { readNewest } from '../../api/events.ts';
import { followEvents } from '../../api/client/stream.ts';
import { addOlder, addRows, emptyTail, readAll, type Tail } from './tail-rows.ts';

export interface TailSource {
  environment: Environment;
  /** Comma-separated. Empty for all. */
  types: string;
  userId: string | null;
  isPaused: boolean;
}

/** Limits how often arrived rows are rendered. */
const drawMs = 250;
const pageSize = 100;

/** Loads the newest events and follows new ones. Results of another source or a failed attempt are dropped. */
export function useTail({ environment, types, userId, isPaused }: TailSource) {
  const [tail, setTail] = useState<Tail>(emptyTail);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const source = `${environment} ${types} ${userId ?? ''} ${attempt}`;
  const [currentSource, setCurrentSource] = useState(source);
  const older = useMutation({
    mutationFn: ({ before }: { before: string; source: string }) =>
      readNewest(
        { environment, types: types === '' ? [] : types.split(','), userId },
        { before, limit: pageSize },
      ),
    onSuccess: (page, variables) =>
      variables.source === source && setTail((now) => addOlder(now, variables.before, page)),
  });
  if (currentSource !== source) {
    setCurrentSource(source);
    setTail(emptyTail);
    setError(null);
  }
  const isReading = useEffectEvent(() => isPaused || scrollY > 80);
  useEffect(() => {
    const stop = new AbortController();
    const came: EventRowWire[] = [];
    const timer = setInterval(() => {
      if (came.length === 0) return;
      const rows = came.splice(0);
      const reading = isReading();
      setTail((now) => addRows(now, rows, reading));
    }, drawMs);
    async function follow() {
      const list = types === '' ? [] : types.split(',');
      const whose = { environment, types: list, userId };
      const page = await readNewest(whose, { limit: pageSize, signal: stop.signal });
      setTail({ ...emptyTail, isRead: true, rows: page.data, older: page.older });
      const from = { ...whose, types: list.length > 0 ? list : null, cursor: page.cursor };
      for await (const step of followEvents(from, stop.signal)) {
        if (step.kind === 'event') came.push({ event: step.event, cursor: step.cursor });
        if (step.kind === 'connected') setTail((now) => ({ ...now, connection: 'live' }));
        if (step.kind === 'lost') setTail((now) => ({ ...now, connection: 'lost' }));
      }
    }
    follow().catch((cause: unknown) => {
      if (!stop.signal.aborted) setError(cause);
    });
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [environment, types, userId, attempt]);
  const isOwn = older.variables?.source === source;
  return {
    tail,
    error,
    older: {
      isLoading: isOwn && older.isPending,
      error: isOwn ? older.error : null,
      load: () => tail.older !== null && older.mutate({ before: tail.older, source }),
    },
    showUnread: () => setTail(readAll),
    retry: () => setAttempt(attempt + 1),
  };
}
