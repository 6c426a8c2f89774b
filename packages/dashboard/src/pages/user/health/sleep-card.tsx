import { useQuery } from '@tanstack/react-query';
import type { SleepListItemWire } from '@tributary/contract';
import { useMemo } from 'react';
import { sleepQuery } from '../../../api/health.ts';
import { SleepBars, type Night } from '../../../charts/sleep-bars.tsx';
import { Empty, ErrorBox, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Card } from '../../../components/page.tsx';
import { usePerson, daysUpTo } from '../person.ts';

const shownDays = 14;

export function SleepCard() {
  const { user, whose, today, explain } = usePerson();
  const span = daysUpTo(today, shownDays);
  const { data, error, refetch } = useQuery(sleepQuery(whose, span));
  const nights = useMemo(() => (data ? nightsOf(data.data) : null), [data]);
  if (error && !data)
    return <ErrorBox error={error} title="Could not load sleep." onRetry={() => void refetch()} />;
  if (!nights) return <Skeleton heights={[360]} label="Loading sleep" />;
  if (nights.length === 0)
    return (
      <Card title="Sleep" padded={false}>
        <Empty
          title={`No nights with sleep stages in the last ${shownDays} days.`}
          request={{
            method: 'GET',
            path: `/v1/users/${user.id}/sleep`,
            query: { from_date: span.from, to_date: span.to },
          }}
        />
      </Card>
    );
  return (
    <SleepBars
      nights={nights}
      onWhy={(date) => {
        const night = nights.find((one) => one.date === date);
        if (night) explain({ kind: 'sleep', id: night.id });
      }}
    />
  );
}

/** Main sleep sessions, oldest first. Nights without stages are omitted because there is nothing to draw. */
function nightsOf(sessions: readonly SleepListItemWire[]): (Night & { id: string })[] {
  return sessions
    .filter(({ is_main_sleep }) => is_main_sleep)
    .flatMap((one) => {
      const { deep_minutes: deep, light_minutes: light, rem_minutes: rem } = one;
      if (deep === null || light === null || rem === null) return [];
      return [
        {
          id: one.id,
          date: one.date,
          from: one.start_time.slice(11, 16),
          to: one.end_time.slice(11, 16),
          deep,
          light,
          rem,
          awake: one.awake_minutes ?? 0,
        },
      ];
    })
    .toReversed();
}
