import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { configurationQuery } from '../../../api/consolidation.ts';
import { dailyQuery, metricsQuery } from '../../../api/health.ts';
import { Spark } from '../../../charts/spark.tsx';
import { Button } from '../../../components/controls/button.tsx';
import { Chip } from '../../../components/feedback/badge.tsx';
import { Curl } from '../../../components/overlays/command.tsx';
import { Empty, ErrorBox, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Card } from '../../../components/page.tsx';
import { Table, type Column } from '../../../components/tables/table.tsx';
import { None } from '../../../components/overlays/tip.tsx';
import { ToggleGroup } from '../../../components/controls/toggle-group.tsx';
import { usePainted } from '../../../components/overlays/use-painted.ts';
import { weekday } from '../../../words/time.ts';
import { WhyButton } from '../../why/why-button.tsx';
import { dailyValues, mainMetrics, formatChange, type DailyValue } from './daily-rows.ts';
import { useProviderNames } from '../devices/device-state.tsx';
import { dayBefore, daysUpTo, usePerson, useWhy } from '../person.ts';
import { describeMissing, valueText } from './value-text.ts';

type Which = 'today' | 'yesterday';

/** Fourteen days to compare with, before the earlier of the two selectable days. */
const readDays = 16;

export function DailyCard() {
  const { user, whose, today, explain } = usePerson();
  const why = useWhy();
  const [which, setWhich] = useState<Which>('today');
  const [isAll, setAll] = useState(false);
  // The press gets immediate feedback. The long table renders afterwards.
  const isLong = usePainted(isAll);
  const date = which === 'today' ? today : dayBefore(today, 1);
  const daily = useQuery(dailyQuery(whose, daysUpTo(today, readDays)));
  const catalog = useQuery(metricsQuery(whose.environment));
  const nameOf = useProviderNames(whose.environment);
  const values = useMemo(
    () =>
      daily.data && catalog.data
        ? dailyValues(daily.data, catalog.data, date, { isRunning: date === today })
        : null,
    [daily.data, catalog.data, date, today],
  );
  const { data: settings } = useQuery(configurationQuery(whose));
  const columns = useMemo(
    () => columnsOf(date, nameOf, (key) => settings?.metrics.find((one) => one.key === key)?.method ?? null),
    [date, nameOf, settings],
  );
  const error = daily.error ?? catalog.error;
  if (error && !values)
    return (
      <ErrorBox
        error={error}
        title="Could not load daily values."
        onRetry={() => (void daily.refetch(), void catalog.refetch())}
      />
    );
  if (!values) return <Skeleton heights={[380]} label="Loading daily values" />;
  const main = mainMetrics.flatMap((id) => values.find(({ metric }) => metric.id === id) ?? []);
  const rows = isLong ? values : main;
  return (
    <Card
      title="Daily values"
      note={`${weekday(date)} in the user’s time zone`}
      padded={false}
      actions={
        <>
          <ToggleGroup
            label="Day"
            options={[
              { value: 'yesterday', label: 'Yesterday' },
              { value: 'today', label: 'Today' },
            ]}
            value={which}
            onChange={setWhich}
          />
          <Curl
            method="GET"
            path={`/v1/users/${user.id}/daily`}
            query={{ from_date: date, to_date: date, include_sources: true, include_reasons: true }}
          />
        </>
      }
    >
      {values.length === 0 ? (
        <Empty title="Daily values will appear here: one per metric and day, from all devices combined." />
      ) : (
        <>
          <Table
            label="Daily values"
            columns={columns}
            rows={rows}
            rowKey={({ metric }) => metric.id}
            copy={({ metric }) => metric.id}
            explain={({ metric }) => explain({ kind: 'daily', metric: metric.id, date })}
            currentKey={why?.kind === 'daily' && why.date === date ? why.metric : null}
          />
          {values.length > main.length && (
            <div className="list-foot">
              <Button kind="link" aria-expanded={isAll} onPress={() => setAll(!isAll)}>
                {isAll ? 'Show main metrics' : `Show all ${values.length}`}
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  );
}

function columnsOf(
  date: string,
  nameOf: (provider: string) => string,
  methodOf: (key: string) => string | null,
): readonly Column<DailyValue>[] {
  return [
    {
      key: 'metric',
      label: 'Metric',
      cell: ({ metric }) => (
        <span className="metric-name">
          {metric.display_name} <code className="quiet">{metric.id}</code>
        </span>
      ),
    },
    { key: 'value', label: 'Value', number: true, cell: (row) => <ValueCell row={row} date={date} /> },
    {
      key: 'change',
      label: 'vs. 14 days',
      number: true,
      wideOnly: true,
      cell: ({ change, changeReason }) => (change ? formatChange(change) : <None reason={changeReason} />),
    },
    { key: 'history', label: '14 days', cell: ({ history }) => <Spark values={history} /> },
    {
      key: 'source',
      label: 'Source',
      wideOnly: true,
      cell: ({ providers, metric, value }) =>
        providers.length > 0 ? (
          providers.map(nameOf).join(', ')
        ) : (
          <None
            reason={value === null ? 'No value' : `${metric.display_name} is derived from other values`}
          />
        ),
    },
    {
      key: 'method',
      label: 'Method',
      wideOnly: true,
      cell: ({ metric }) =>
        metric.consolidation ? (
          <Chip>{methodOf(metric.consolidation.key) ?? metric.consolidation.default_method}</Chip>
        ) : (
          <None reason="Derived from other values" />
        ),
    },
  ];
}

function ValueCell({ row: { metric, value, unit, reason }, date }: { row: DailyValue; date: string }) {
  const subject = { kind: 'daily', metric: metric.id, date } as const;
  if (value === null)
    return (
      <WhyButton subject={subject} label={`${metric.display_name}: ${describeMissing(reason)}`}>
        –
      </WhyButton>
    );
  const displayValue = valueText(value, unit, metric);
  return (
    <WhyButton subject={subject} label={`${metric.display_name} ${displayValue.text} ${displayValue.unit}`}>
      {displayValue.text}
      {displayValue.unit && <small> {displayValue.unit}</small>}
    </WhyButton>
  );
}
