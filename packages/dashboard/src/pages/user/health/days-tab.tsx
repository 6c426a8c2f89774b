import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  dailyQuery,
  metricsQuery,
  scoreHistoryQuery,
  sleepQuery,
  workoutsQuery,
} from '../../../api/health.ts';
import { DayStrip, type StripDay } from '../../../charts/day-strip.tsx';
import type { DailyResponse } from '../../../api/health.ts';
import { Curl } from '../../../components/overlays/command.tsx';
import { Empty, ErrorBox, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Card } from '../../../components/page.tsx';
import { duration, weekday } from '../../../words/time.ts';
import { WhyButton } from '../../why/why-button.tsx';
import { dailyValues, type DailyValue } from './daily-rows.ts';
import { daysUpTo, usePerson } from '../person.ts';
import { scoreScales } from './score-scales.ts';
import { valueText, words } from './value-text.ts';

const shownDays = 30;

export interface DaysTabProps {
  /** Null for today. */
  day: string | null;
  onDay: (date: string) => void;
}

/** One day with all its values. */
export function DaysTab({ day: chosen, onDay }: DaysTabProps) {
  const { user, whose, today } = usePerson();
  const day = chosen ?? today;
  const span = daysUpTo(today, shownDays);
  const daily = useQuery(dailyQuery(whose, span));
  const catalog = useQuery(metricsQuery(whose.environment));
  const days = useMemo(() => (daily.data ? stripOf(daily.data) : null), [daily.data]);
  const values = useMemo(
    () =>
      daily.data && catalog.data
        ? dailyValues(daily.data, catalog.data, day, { isRunning: day === today }).filter(
            ({ value }) => value !== null,
          )
        : [],
    [daily.data, catalog.data, day, today],
  );
  const error = daily.error ?? catalog.error;
  if (error && !days)
    return (
      <ErrorBox
        error={error}
        title="Could not load days."
        onRetry={() => (void daily.refetch(), void catalog.refetch())}
      />
    );
  if (!days) return <Skeleton heights={[76, 300]} label="Loading days" />;
  const request = {
    method: 'GET',
    path: `/v1/users/${user.id}/daily`,
    query: { from_date: day, to_date: day, include_sources: true },
  } as const;
  return (
    <div className="stack">
      <Card padded={false}>
        <DayStrip label={`Last ${shownDays} days`} days={days} selected={day} onSelect={onDay} />
      </Card>
      <div className="day-head">
        <h2>{weekday(day)}</h2>
        <Curl {...request} />
      </div>
      <Sessions day={day} />
      {values.length === 0 ? (
        <Card padded={false}>
          <Empty title="No data for this day." request={request}>
            Days with data have a colored line in the strip above.
          </Empty>
        </Card>
      ) : (
        <div className="day-cards">
          {[...Map.groupBy(values, ({ metric }) => metric.category)].map(([category, members]) => (
            <Card key={category} title={category}>
              <ul className="why-list">
                {members.map((value) => (
                  <DayValue key={value.metric.id} value={value} day={day} />
                ))}
              </ul>
            </Card>
          ))}
        </div>
      )}
    </div>
  );
}

/** Completeness of each day, relative to the most complete day. */
function stripOf({ dates, series }: DailyResponse): StripDay[] {
  const counts = dates.map(
    (_date, at) => Object.values(series).filter((column) => column[at] !== null).length,
  );
  const most = Math.max(1, ...counts);
  return dates.map((date, at) => ({ date, share: counts[at] === 0 ? null : counts[at]! / most }));
}

function DayValue({ value: { metric, value, unit }, day }: { value: DailyValue; day: string }) {
  const displayValue = valueText(value!, unit, metric);
  return (
    <li>
      <span>{metric.display_name}</span>
      <WhyButton
        subject={{ kind: 'daily', metric: metric.id, date: day }}
        label={`${metric.display_name} ${displayValue.text} ${displayValue.unit}`}
      >
        {displayValue.text}
        {displayValue.unit && <small> {displayValue.unit}</small>}
      </WhyButton>
    </li>
  );
}

/** Scores, nights and workouts of the day. */
function Sessions({ day }: { day: string }) {
  const { whose, today } = usePerson();
  const span = daysUpTo(today, shownDays);
  const scores = useQuery(scoreHistoryQuery(whose, span));
  const sleep = useQuery(sleepQuery(whose, span));
  const workouts = useQuery(workoutsQuery(whose, span));
  const valueOf = (type: string) =>
    scores.data?.data.find((row) => row.date === day && row.type === type)?.value ?? null;
  const known = scoreScales.filter(({ type }) => valueOf(type) !== null);
  const nights = sleep.data?.data.filter(({ date }) => date === day) ?? [];
  const trained = workouts.data?.data.filter(({ start_time }) => start_time.startsWith(day)) ?? [];
  if (known.length + nights.length + trained.length === 0) return null;
  return (
    <Card>
      <dl className="day-facts">
        {known.map(({ type, label }) => (
          <div key={type}>
            <dt>{label}</dt>
            <dd>
              <WhyButton
                subject={{ kind: 'score', type, date: day }}
                label={`${label} ${Math.round(valueOf(type)!)}`}
              >
                {Math.round(valueOf(type)!)}
              </WhyButton>
            </dd>
          </div>
        ))}
        {nights.map(({ id, is_main_sleep, duration_minutes }) => (
          <div key={id}>
            <dt>{is_main_sleep ? 'Night' : 'Nap'}</dt>
            <dd>
              <WhyButton subject={{ kind: 'sleep', id }} label={`Sleep of ${duration(duration_minutes)}`}>
                {duration(duration_minutes)}
              </WhyButton>
            </dd>
          </div>
        ))}
        {trained.map(({ id, type, duration_minutes }) => (
          <div key={id}>
            <dt>{words(type)}</dt>
            <dd>
              <WhyButton
                subject={{ kind: 'workout', id }}
                label={`${words(type)} of ${duration(duration_minutes)}`}
              >
                {duration(duration_minutes)}
              </WhyButton>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
