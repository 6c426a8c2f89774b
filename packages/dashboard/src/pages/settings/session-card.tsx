import type { OperatorSessionWire } from '@tributary/contract';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { failureMessage } from '../../api/client/failure.ts';
import { endSession, sessionsQuery } from '../../api/security.ts';
import { sessionQuery } from '../../api/session.ts';
import { State } from '../../components/feedback/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { plural, shortDay } from '../../words/time.ts';
import { describeAgent } from './describe-agent.ts';

/** The dashboard user's sessions. */
export function SessionCard() {
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const { idle_limit_seconds: idleSeconds, ends_at: endsAt } = useSuspenseQuery(sessionQuery).data.session;
  const idle = plural(Math.round(idleSeconds / 60), 'minute');
  const end = useMutation({
    mutationFn: (ids: readonly string[]) => Promise.all(ids.map((id) => endSession(id))),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
    onSuccess: (_, ids) => toast(`${plural(ids.length, 'session')} ended`),
    onError: (error) => toast(failureMessage(error), { failed: true }),
  });
  const others = (sessions.data?.data ?? []).filter(({ current }) => !current).map(({ id }) => id);
  return (
    <Card
      title="Sessions"
      note={`Browsers where you are signed in. A session ends after ${idle} without activity. This one ends on ${shortDay(endsAt)} at the latest.`}
      padded={false}
      actions={
        <Button
          small
          isDisabled={others.length === 0}
          isPending={end.isPending}
          onPress={() => end.mutate(others)}
        >
          End other sessions
        </Button>
      }
    >
      {sessions.data ? (
        <Table<OperatorSessionWire>
          label="Sessions"
          rows={sessions.data.data}
          rowKey={(one) => one.id}
          columns={columnsOf((id) => end.mutate([id]))}
        />
      ) : (
        <div className="card-body">
          {sessions.error ? (
            <ErrorBox
              error={sessions.error}
              title="Could not load sessions."
              onRetry={() => void sessions.refetch()}
            />
          ) : (
            <Skeleton heights={[34, 40, 40]} label="Loading sessions" />
          )}
        </div>
      )}
    </Card>
  );
}

const columns: readonly Column<OperatorSessionWire>[] = [
  { key: 'agent', label: 'Browser', cell: (one) => describeAgent(one.user_agent) },
  {
    key: 'address',
    label: 'IP address',
    wideOnly: true,
    cell: (one) => (one.address ? <code>{one.address}</code> : <None reason="Address unknown" />),
  },
  { key: 'since', label: 'Signed in', wideOnly: true, cell: (one) => <Time at={one.created_at} /> },
  { key: 'seen', label: 'Last seen', cell: (one) => <Time at={one.last_seen_at} /> },
];

function columnsOf(onEnd: (id: string) => void): readonly Column<OperatorSessionWire>[] {
  return [
    ...columns,
    {
      key: 'act',
      label: 'Actions',
      isLabelHidden: true,
      number: true,
      cell: (one) =>
        one.current ? (
          <State>This session</State>
        ) : (
          <Button small onPress={() => onEnd(one.id)}>
            End session
          </Button>
        ),
    },
  ];
}
