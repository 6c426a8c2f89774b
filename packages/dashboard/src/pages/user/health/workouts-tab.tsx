import { useQuery } from '@tanstack/react-query';
import type { WorkoutListItemWire } from '@tributary/contract';
import { useMemo } from 'react';
import { workoutsQuery } from '../../../api/health.ts';
import { Curl } from '../../../components/overlays/command.tsx';
import { Empty, ErrorBox, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Card } from '../../../components/page.tsx';
import { Table, type Column } from '../../../components/tables/table.tsx';
import { None } from '../../../components/overlays/tip.tsx';
import { duration, weekday } from '../../../words/time.ts';
import { WhyButton } from '../../why/why-button.tsx';
import { useProviderNames } from '../devices/device-state.tsx';
import { daysUpTo, usePerson, useWhy } from '../person.ts';
import { formatValue, words } from './value-text.ts';

const shownDays = 90;

export function WorkoutsTab() {
  const { user, whose, today, explain } = usePerson();
  const why = useWhy();
  const span = daysUpTo(today, shownDays);
  const { data, error, refetch } = useQuery(workoutsQuery(whose, span));
  const nameOf = useProviderNames(whose.environment);
  const columns = useMemo(() => columnsOf(nameOf), [nameOf]);
  const request = {
    method: 'GET',
    path: `/v1/users/${user.id}/workouts`,
    query: { from_date: span.from, to_date: span.to, limit: 100 },
  } as const;
  if (error && !data)
    return <ErrorBox error={error} title="Could not load workouts." onRetry={() => void refetch()} />;
  if (!data) return <Skeleton heights={[320]} label="Loading workouts" />;
  return (
    <Card
      title="Workouts"
      note={data.next_cursor ? `Newest 100 of the last ${shownDays} days` : `Last ${shownDays} days`}
      padded={false}
      actions={<Curl {...request} />}
    >
      {data.data.length === 0 ? (
        <Empty title={`No workouts in the last ${shownDays} days.`} request={request}>
          Each workout appears once, even if several devices recorded it.
        </Empty>
      ) : (
        <Table
          label="Workouts"
          columns={columns}
          rows={data.data}
          rowKey={({ id }) => id}
          copy={({ id }) => id}
          explain={({ id }) => explain({ kind: 'workout', id })}
          currentKey={why?.kind === 'workout' ? why.id : null}
        />
      )}
    </Card>
  );
}

/** A number that not every device reports. */
function measured(
  key: 'calories' | 'distance_km' | 'avg_heart_rate' | 'max_heart_rate' | 'strain',
  label: string,
  unit: string,
  wideOnly = true,
): Column<WorkoutListItemWire> {
  return {
    key,
    label,
    number: true,
    wideOnly,
    cell: ({ [key]: value }) =>
      value === null ? <None reason="No device measured it" /> : formatValue(value, unit),
  };
}

function columnsOf(nameOf: (id: string) => string): readonly Column<WorkoutListItemWire>[] {
  return [
    {
      key: 'type',
      label: 'Workout',
      cell: ({ id, type }) => (
        <WhyButton subject={{ kind: 'workout', id }} label={words(type)}>
          {words(type)}
        </WhyButton>
      ),
    },
    {
      key: 'start',
      label: 'Start',
      cell: ({ start_time }) => (
        <span className="one-line">
          {weekday(start_time.slice(0, 10))}, {start_time.slice(11, 16)}
        </span>
      ),
    },
    {
      key: 'duration',
      label: 'Duration',
      number: true,
      cell: ({ duration_minutes }) => duration(duration_minutes),
    },
    measured('distance_km', 'Distance', 'km'),
    measured('calories', 'Energy', 'kcal'),
    measured('avg_heart_rate', 'Avg HR', 'bpm'),
    measured('max_heart_rate', 'Max HR', 'bpm'),
    measured('strain', 'Strain', 'score'),
    { key: 'source', label: 'Source', wideOnly: true, cell: ({ source }) => nameOf(source) },
  ];
}
