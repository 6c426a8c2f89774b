import type { ProviderRowWire } from '@tributary/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { providersQuery } from '../../api/providers.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Avatar } from '../../components/badge.tsx';
import { Curl } from '../../components/command.tsx';
import { ErrorBox, Skeleton } from '../../components/feedback.tsx';
import { PageHead } from '../../components/page.tsx';
import { plural, relativeTime } from '../../words/time.ts';
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
        lead="Where data comes from: clouds that your users connect, and what their phones bring."
        actions={<Curl method="GET" path="/v1/providers" query={{ include: 'unavailable' }} />}
      />
      {providers.error && !rows && (
        <ErrorBox
          error={providers.error}
          title="The providers could not be loaded."
          onRetry={() => void providers.refetch()}
        />
      )}
      {providers.isPending && <Skeleton heights={[20, 112, 20, 112]} label="Loading the providers" />}
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
        <p>{sayUse(row)}</p>
      </div>
      <ProviderMark row={row} />
    </li>
  );
}

function sayUse(row: ProviderRowWire): string {
  const { kind, connections, affected, newest_data_at: newest, by_state: states } = row;
  // In the sandbox the devices of clouds are made up, and counted as what is on the phone.
  const count = kind === 'on_device' ? connections : connections + states.on_device;
  if (affected > 0) return `${plural(affected, 'connection')} of ${count} bring nothing`;
  if (count === 0) return 'Nobody is connected';
  return newest
    ? `${plural(count, 'connection')}, data ${relativeTime(newest)}`
    : plural(count, 'connection');
}
