import type { ProviderRowWire } from '@tributary/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { providersQuery } from '../../api/providers.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Curl } from '../../components/overlays/command.tsx';
import { Id } from '../../components/feedback/copy.tsx';
import { Empty, ErrorBox, Notice, Skeleton } from '../../components/feedback/feedback.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { plural } from '../../words/time.ts';
import { AppCard } from './app-card.tsx';
import { ConnectionsCard } from './connections-card.tsx';
import { ErrorsCard } from './errors-card.tsx';
import { ProviderMark } from './provider-mark.tsx';
import './providers.css';

export function ProviderPage() {
  const environment = useEnvironment();
  const { provider: id = '' } = useParams({ strict: false });
  const providers = useQuery(providersQuery(environment));
  const row = providers.data?.data.find(({ provider }) => provider === id);
  const back = (
    <Link key="back" to="/$environment/providers" params={{ environment }}>
      Providers
    </Link>
  );
  return (
    <div className="page">
      <PageHead
        title={row?.name ?? id}
        crumbs={[back]}
        {...(row && { mark: <ProviderMark row={row} />, lead: <Lead row={row} /> })}
        actions={<Curl method="POST" path="/v1/users/user_…/devices" body={{ provider: id }} />}
      />
      {providers.error && !providers.data && (
        <ErrorBox
          error={providers.error}
          title="Could not load provider."
          onRetry={() => void providers.refetch()}
        />
      )}
      {providers.isPending && <Skeleton heights={[180, 280]} label="Loading provider" />}
      {providers.data && !row && (
        <Card>
          <Empty title="Provider not found." action={back} />
        </Card>
      )}
      {row && <ProviderView row={row} mayChange={providers.data!.may_change} />}
    </div>
  );
}

function Lead({ row }: { row: ProviderRowWire }) {
  return (
    <>
      <Id value={row.provider} />
      <span>
        {row.kind === 'on_device'
          ? 'via the Mobile SDK'
          : row.push
            ? 'notifies us of new data'
            : 'polled every few minutes'}
        {row.history_days !== null && `, ${plural(row.history_days, 'day')} of history`}
      </span>
    </>
  );
}

function ProviderView({ row, mayChange }: { row: ProviderRowWire; mayChange: boolean }) {
  const environment = useEnvironment();
  return (
    <>
      {row.state === 'refusing' && (
        <Notice
          tone="bad"
          title={`${row.name} is failing.`}
          action={
            <Link
              to="/$environment/users"
              params={{ environment }}
              search={{ filter: 'not_syncing' }}
              className="button small"
            >
              Show affected users
            </Link>
          }
        >
          No data from {plural(row.affected, 'connection')}. Check the credentials below. Users whose consent
          has ended need a new link.
        </Notice>
      )}
      {row.app && !row.app.is_readable && (
        <Notice tone="bad" title="The credentials cannot be read.">
          They were encrypted with a key that is no longer available. Enter them again.
        </Notice>
      )}
      <div className="two">
        <ConnectionsCard row={row} />
        <ErrorsCard row={row} />
      </div>
      {row.app ? (
        <AppCard key={row.provider} row={row} app={row.app} mayChange={mayChange} />
      ) : (
        <Card title="Credentials">
          <p className="quiet">
            No credentials needed. The Mobile SDK reads this data on the phone, with the permission the user
            grants there.
          </p>
        </Card>
      )}
    </>
  );
}
