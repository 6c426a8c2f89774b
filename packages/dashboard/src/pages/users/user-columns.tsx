import type { UserRowWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import type { Environment } from '../../api/client/client.ts';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { Id } from '../../components/feedback/copy.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { plural } from '../../words/time.ts';

export function columnsOf(environment: Environment): readonly Column<UserRowWire>[] {
  return [
    {
      key: 'reference',
      label: 'Reference',
      cell: ({ id, reference_id }) => (
        <Link className="user-link" to="/$environment/users/$userId" params={{ environment, userId: id }}>
          {reference_id}
        </Link>
      ),
    },
    { key: 'id', label: 'ID', wideOnly: true, cell: ({ id }) => <Id value={id} /> },
    { key: 'state', label: 'Status', cell: stateOf },
    { key: 'devices', label: 'Devices', number: true, cell: ({ devices }) => devices },
    {
      key: 'scores',
      label: 'Scores',
      wideOnly: true,
      cell: ({ has_scores }) =>
        has_scores ? <State>Ready</State> : <None reason="Not enough data for a score yet" />,
    },
    {
      key: 'timezone',
      label: 'Time zone',
      wideOnly: true,
      cell: ({ timezone }) => timezone ?? <None reason="Not set. Days are split in UTC." />,
    },
    {
      key: 'sync',
      label: 'Last sync',
      number: true,
      cell: ({ last_sync_at, not_syncing }) =>
        last_sync_at ? (
          <span className={not_syncing > 0 ? 'sync-late' : undefined}>
            <Time at={last_sync_at} end />
          </span>
        ) : (
          <None reason="No data yet" />
        ),
    },
  ];
}

function stateOf({ status, devices, not_syncing }: UserRowWire) {
  if (status === 'deleting') return <Badge tone="bad">Deleting</Badge>;
  if (not_syncing > 0) return <Badge tone="warn">{plural(not_syncing, 'device')} not syncing</Badge>;
  return devices === 0 ? <State tone="plain">No device</State> : <State>Active</State>;
}
