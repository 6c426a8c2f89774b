import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceSyncQuery } from '../../../api/user.ts';
import { Meter } from '../../../charts/meter.tsx';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorBox, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Timeline } from '../../../components/tables/timeline.tsx';
import { number, plural, relativeTime } from '../../../words/time.ts';
import { usePerson } from '../person.ts';
import { words } from '../health/value-text.ts';

/** Recent sync runs of a connection, loaded on demand. */
export function DeviceRuns({ deviceId }: { deviceId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="stack">
      <div>
        <Button kind="link" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide sync runs' : 'Show sync runs'}
        </Button>
      </div>
      {isOpen && <Runs deviceId={deviceId} />}
    </div>
  );
}

function Runs({ deviceId }: { deviceId: string }) {
  const { whose } = usePerson();
  const { data, error, refetch } = useQuery(deviceSyncQuery(whose.environment, whose.userId, deviceId));
  if (error && !data)
    return <ErrorBox error={error} title="Could not load sync runs." onRetry={() => void refetch()} />;
  if (!data) return <Skeleton heights={[120]} label="Loading sync runs" />;
  const { history, runs, next_poll_at } = data.data;
  const share = history.days_total > 0 ? history.days_done / history.days_total : 0;
  return (
    <>
      {history.state !== 'none' && (
        <p className="row">
          <Meter
            label="History"
            share={share}
            shareText={`${history.days_done} of ${history.days_total} days`}
          />
          <span className="quiet">
            {number(history.days_done)} of {plural(history.days_total, 'day')} of history
            {history.state === 'running' && history.estimated_end_at
              ? `, done ${relativeTime(history.estimated_end_at)}`
              : ''}
          </span>
        </p>
      )}
      {next_poll_at && <p className="quiet">Next poll {relativeTime(next_poll_at)}.</p>}
      {runs.length === 0 ? (
        <p className="quiet">No sync runs yet.</p>
      ) : (
        <Timeline
          label="Sync runs"
          happenings={runs.map((run) => ({
            id: `${run.started_at} ${run.cause}`,
            at: run.started_at,
            title: `${words(run.cause)}: ${words(run.outcome).toLowerCase()}`,
            detail: `${plural(run.calls, 'request')}, ${plural(run.new_documents, 'new document')}`,
            tone: run.outcome === 'ok' ? 'ok' : 'warn',
          }))}
        />
      )}
    </>
  );
}
