import type { DeliveryStatus, DeliveryWire, WebhookWire } from '@tributary/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Environment } from '../../api/client/client.ts';
import { deliveriesQuery } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Chip } from '../../components/feedback/badge.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { CursorList } from '../../components/tables/cursor-list.tsx';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Filters } from '../../components/controls/filters.tsx';
import { Card } from '../../components/page.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { ConditionMark } from './condition.tsx';
import { deliveryCondition } from './webhook-text.ts';

const filters = [
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
  { value: 'succeeded', label: 'Delivered' },
  { value: 'merged', label: 'Merged' },
] as const satisfies readonly { value: DeliveryStatus; label: string }[];

export interface DeliveryListProps {
  webhook: WebhookWire;
  status: string | null;
  current: string | null;
  onShow: (search: { status?: string | null; delivery?: string | null }) => void;
}

export function DeliveryList({ webhook, status, current, onShow }: DeliveryListProps) {
  const environment = useEnvironment();
  const chosen = filters.find(({ value }) => value === status)?.value ?? null;
  const query = useInfiniteQuery({
    ...deliveriesQuery(environment, webhook.id, chosen),
    refetchInterval: 10_000,
  });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Card
      title="Deliveries"
      padded={false}
      actions={
        <Curl method="GET" path={`/v1/webhooks/${webhook.id}/deliveries`} query={{ status: chosen }} />
      }
    >
      <div className="delivery-filters">
        <Filters
          label="Filter deliveries"
          filters={filters}
          selected={chosen ? [chosen] : []}
          onChange={(all) => onShow({ status: all.at(-1) ?? null })}
        />
      </div>
      {query.error && !query.data && (
        <div className="card-body">
          <ErrorBox
            error={query.error}
            title="Could not load deliveries."
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      {query.isPending && (
        <div className="card-body">
          <Skeleton heights={[34, 40, 40, 40]} label="Loading deliveries" />
        </div>
      )}
      {query.data && rows.length === 0 && !query.hasNextPage && (
        <NoDeliveries webhook={webhook} isFiltered={chosen !== null} />
      )}
      {(rows.length > 0 || query.hasNextPage) && (
        <CursorList<DeliveryWire>
          label="Deliveries"
          noun="deliveries"
          rows={rows}
          rowKey={(one) => one.event_id}
          copy={(one) => one.event_id}
          currentKey={current}
          columns={columnsOf(environment, webhook.id, chosen)}
          hasMore={query.hasNextPage}
          isLoading={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </Card>
  );
}

function NoDeliveries({ webhook, isFiltered }: { webhook: WebhookWire; isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No matching deliveries." />;
  return (
    <Empty
      title="Deliveries and their responses will appear here."
      request={{ method: 'POST', path: `/v1/webhooks/${webhook.id}/test`, body: {} }}
      waiting="Waiting for the first delivery"
    />
  );
}

const columns: readonly Column<DeliveryWire>[] = [
  {
    key: 'type',
    label: 'Type',
    wideOnly: true,
    cell: (one) => (
      <>
        <Chip>{one.event_type}</Chip>
        {one.test && <span className="quiet"> test</span>}
      </>
    ),
  },
  { key: 'state', label: 'Status', cell: (one) => <ConditionMark condition={deliveryCondition(one)} /> },
  {
    key: 'response',
    label: 'Response',
    wideOnly: true,
    cell: ({ last_attempt: last }) => {
      if (!last) return <None reason="Not attempted yet" />;
      return last.status === null ? <None reason={last.error ?? 'No response'} /> : String(last.status);
    },
  },
  { key: 'attempts', label: 'Attempts', number: true, wideOnly: true, cell: (one) => one.attempt_count },
  {
    key: 'next',
    label: 'Next attempt',
    wideOnly: true,
    cell: ({ next_attempt_at: next }) =>
      next ? <Time at={next} /> : <None reason="No further attempt scheduled" />,
  },
  { key: 'made', label: 'Created', wideOnly: true, cell: (one) => <Time at={one.created_at} end /> },
];

function columnsOf(
  environment: Environment,
  webhookId: string,
  chosen: DeliveryStatus | null,
): readonly Column<DeliveryWire>[] {
  return [
    {
      key: 'event',
      label: 'Event',
      cell: (one) => (
        <Link
          to="/$environment/webhooks/$webhookId"
          params={{ environment, webhookId }}
          search={{ ...(chosen && { status: chosen }), delivery: one.event_id }}
          resetScroll={false}
        >
          <code>{one.event_id}</code>
        </Link>
      ),
    },
    ...columns,
  ];
}
