import type { ProviderSummaryWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import type { Environment } from '../../api/client/client.ts';
import { Meter } from '../../charts/meter.tsx';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { Card } from '../../components/page.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { number } from '../../words/time.ts';

const mostRows = 8;

/** Providers with connections first. Providers without data say so in one word. */
export function ProvidersTable({
  providers,
  environment,
}: {
  providers: readonly ProviderSummaryWire[];
  environment: Environment;
}) {
  const rows = providers
    .toSorted((a, b) => b.affected - a.affected || b.connections - a.connections)
    .slice(0, mostRows);
  return (
    <Card
      title="Providers"
      padded={false}
      actions={
        <Link to="/$environment/providers" params={{ environment }}>
          All providers
        </Link>
      }
    >
      <Table
        label="Providers"
        columns={columnsOf(environment)}
        rows={rows}
        rowKey={({ provider }) => provider}
        copy={({ provider }) => provider}
      />
    </Card>
  );
}

function columnsOf(environment: Environment): readonly Column<ProviderSummaryWire>[] {
  return [
    {
      key: 'name',
      label: 'Provider',
      cell: ({ provider, name }) => (
        <Link to="/$environment/providers/$provider" params={{ environment, provider }}>
          {name}
        </Link>
      ),
    },
    { key: 'state', label: 'Status', cell: stateOf },
    {
      key: 'connections',
      label: 'Connections',
      number: true,
      cell: ({ connections }) => number(connections),
    },
    {
      key: 'newest',
      label: 'Latest data',
      number: true,
      wideOnly: true,
      cell: ({ newest_data_at }) =>
        newest_data_at ? <Time at={newest_data_at} /> : <None reason="No data yet" />,
    },
    {
      key: 'limit',
      label: 'Limit used',
      wideOnly: true,
      cell: ({ limit_used, name }) =>
        limit_used === null ? (
          <None reason="No rate limit" />
        ) : (
          <Meter
            label={`${name} rate limit used`}
            share={limit_used}
            shareText={`${Math.round(limit_used * 100)}%`}
            tone={limit_used > 0.9 ? 'bad' : limit_used > 0.7 ? 'warn' : 'accent'}
          />
        ),
    },
  ];
}

function stateOf({ state, kind }: ProviderSummaryWire) {
  switch (state) {
    case 'working':
      return <State>Working</State>;
    case 'slow':
      return <Badge tone="warn">Slow</Badge>;
    case 'refusing':
      return <Badge tone="bad">Failing</Badge>;
    case 'needs_credentials':
      return <State tone="plain">Needs credentials</State>;
    case 'available':
      return <State tone="plain">{kind === 'on_device' ? 'Mobile SDK' : 'Available'}</State>;
  }
}
