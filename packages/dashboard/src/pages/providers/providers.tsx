import type { ProviderRowWire } from '@tributary/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { providersQuery } from '../../api/providers.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Avatar } from '../../components/feedback/badge.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { PageHead } from '../../components/page.tsx';
import { number, plural, relativeTime } from '../../words/time.ts';
import { ProviderMark } from './provider-mark.tsx';
import { groups } from './provider-text.ts';
import './providers.css';

export function ProvidersPage() {
  const providers = useQuery(providersQuery(useEnvironment()));
  const rows = providers.data?.data;
  return (
    <div className="page">
      <PageHead
        title="Providers"
        lead="Sources of data: cloud services your users connect, and their phones."
        actions={<Curl method="GET" path="/v1/providers" query={{ include: 'unavailable' }} />}
      />
      {providers.error && !rows && (
        <ErrorBox
          error={providers.error}
          title="Could not load providers."
          onRetry={() => void providers.refetch()}
        />
      )}
      {providers.isPending && <Skeleton heights={[20, 112, 20, 112]} label="Loading providers" />}
      {rows &&
        groups.map(({ title, has }) => {
          const members = rows.filter(has);
          return members.length > 0 && <Group key={title} title={title} rows={members} />;
        })}
    </div>
  );
}

function Group({ title, rows }: { title: string; rows: readonly ProviderRowWire[] }) {
  const id = useId();
  return (
    <section className="provider-group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="provider-grid">
        {rows.map((row) => (
          <ProviderCard key={row.provider} row={row} />
        ))}
      </ul>
    </section>
  );
}

function ProviderCard({ row }: { row: ProviderRowWire }) {
  const environment = useEnvironment();
  return (
    <li className="card provider-card">
      <Avatar name={row.name} square />
      <div>
        <Link
          to="/$environment/providers/$provider"
          params={{ environment, provider: row.provider }}
          className="provider-name"
        >
          {row.name}
        </Link>
        <p>{describeUse(row)}</p>
      </div>
      <ProviderMark row={row} />
    </li>
  );
}

function describeUse(row: ProviderRowWire): string {
  const { kind, connections, affected, newest_data_at: newest, by_state: states } = row;
  // In the sandbox, devices of cloud providers are simulated and counted as on-device.
  const count = kind === 'on_device' ? connections : connections + states.on_device;
  if (affected > 0) return `No data from ${number(affected)} of ${plural(count, 'connection')}`;
  if (count === 0) return 'No connections';
  return newest
    ? `${plural(count, 'connection')}, latest data ${relativeTime(newest)}`
    : plural(count, 'connection');
}
