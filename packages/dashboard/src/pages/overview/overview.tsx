import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { overviewQuery } from '../../api/overview.ts';
import { useEnvironment } from '../../app/environment.ts';
import { ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { PageHead } from '../../components/page.tsx';
import { format } from '../../words/time.ts';
import { FirstRun } from './first-run.tsx';
import { LiveEvents } from './live-events.tsx';
import { Needs } from './needs.tsx';
import './overview.css';
import { ProvidersTable } from './providers-table.tsx';
import { Tiles } from './tiles.tsx';

/** Problems that need attention first, then figures, then live events. */
export function OverviewPage() {
  const environment = useEnvironment();
  const { data, error, refetch } = useQuery(overviewQuery(environment));
  const [today] = useState(() => format(new Date(), { weekday: 'long', day: 'numeric', month: 'long' }));
  return (
    <div className="page">
      <PageHead title="Overview" lead={`${today}, last 24 hours`} />
      {error && (
        <ErrorBox
          error={error}
          title={data ? 'These figures are out of date.' : 'Could not load overview.'}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Skeleton heights={[140, 150, 320]} label="Loading overview" />}
      {data && (
        <>
          {!data.first_run.has_data && <FirstRun steps={data.first_run} environment={environment} />}
          <Needs needs={data.needs} environment={environment} />
          <Tiles tiles={data.tiles} />
          <div className="two overview-two">
            <ProvidersTable providers={data.providers} environment={environment} />
            <LiveEvents key={environment} environment={environment} />
          </div>
        </>
      )}
    </div>
  );
}
