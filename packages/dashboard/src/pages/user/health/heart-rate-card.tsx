import { useQuery } from '@tanstack/react-query';
import type { SampleColumnsWire } from '@tributary/contract';
import { useMemo } from 'react';
import { heartRateQuery, sleepQuery, workoutsQuery } from '../../../api/health.ts';
import { HeartRate } from '../../../charts/heart-rate.tsx';
import type { Samples } from '../../../charts/reduce.ts';
import { Empty, ErrorBox, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Card } from '../../../components/page.tsx';
import { usePerson, daysUpTo } from '../person.ts';
import { words } from './value-text.ts';
import { secondsOf } from './zoned-time.ts';

const shownDays = 7;
/** Sources sample at least every five minutes, so a longer silence is a gap. */
const gapSeconds = 900;

export function HeartRateCard() {
  const { user, whose, today, timeZone } = usePerson();
  const span = daysUpTo(today, shownDays);
  const heart = useQuery(heartRateQuery(whose, span));
  const sleep = useQuery(sleepQuery(whose, daysUpTo(today, 14)));
  const workouts = useQuery(workoutsQuery(whose, daysUpTo(today, 14)));
  const samples = useMemo(() => (heart.data ? samplesOf(heart.data) : null), [heart.data]);
  const nights = useMemo(
    () =>
      (sleep.data?.data ?? []).map(
        ({ start_time, end_time }) =>
          [secondsOf(start_time, timeZone), secondsOf(end_time, timeZone)] as const,
      ),
    [sleep.data, timeZone],
  );
  const sessions = useMemo(
    () =>
      (workouts.data?.data ?? []).map(({ type, start_time, duration_minutes }) => {
        const from = secondsOf(start_time, timeZone);
        return { name: words(type), span: [from, from + duration_minutes * 60] as const };
      }),
    [workouts.data, timeZone],
  );
  if (heart.error && !heart.data)
    return (
      <ErrorBox error={heart.error} title="Could not load heart rate." onRetry={() => void heart.refetch()} />
    );
  if (!samples) return <Skeleton heights={[430]} label="Loading heart rate" />;
  if (samples.times.length === 0)
    return (
      <Card title="Heart rate" padded={false}>
        <Empty
          title={`No heart rate data in the last ${shownDays} days.`}
          request={{
            method: 'GET',
            path: `/v1/users/${user.id}/timeseries`,
            query: { metrics: 'heart_rate', start_date: span.from, end_date: span.to },
          }}
        />
      </Card>
    );
  return <HeartRate samples={samples} nights={nights} workouts={sessions} timeZone={timeZone} />;
}

/** Converts time steps to times. */
function samplesOf({ start, seconds, values }: SampleColumnsWire): Samples {
  const times = new Float64Array(seconds.length);
  let time = start === null ? 0 : Date.parse(start) / 1_000;
  seconds.forEach((step, at) => {
    time += step;
    times[at] = time;
  });
  return { times, values, gapSeconds };
}
