import type { KeyRowWire } from '@tributary/contract';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { Empty } from '../../components/feedback/feedback.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { environmentNames, shortKey } from './key-text.ts';

const columns: readonly Column<KeyRowWire>[] = [
  { key: 'key', label: 'Key', cell: (key) => <code>{shortKey(key)}</code> },
  { key: 'environment', label: 'Environment', cell: (key) => environmentNames[key.environment] },
  { key: 'status', label: 'Status', cell: (key) => <KeyState status={key.status} /> },
  { key: 'created', label: 'Created', wideOnly: true, cell: (key) => <Time at={key.created_at} /> },
  {
    key: 'by',
    label: 'Created by',
    wideOnly: true,
    cell: (key) => key.created_by ?? <None reason="Created on the command line" />,
  },
  { key: 'ended', label: 'Ended', wideOnly: true, cell: endOf },
  {
    key: 'used',
    label: 'Last used',
    wideOnly: true,
    cell: (key) => (key.last_used_at ? <Time at={key.last_used_at} end /> : <None reason="Never used" />),
  },
];

export function KeyHistory({ keys }: { keys: readonly KeyRowWire[] }) {
  if (keys.length === 0)
    return <Empty title="All keys, past and present, will appear here without their secrets." />;
  return (
    <Table
      label="All keys"
      columns={columns}
      rows={[...keys].sort((a, b) => b.created_at.localeCompare(a.created_at))}
      rowKey={(key) => key.id}
      copy={(key) => key.id}
    />
  );
}

function endOf({ status, revoked_at, expires_at }: KeyRowWire) {
  const at = revoked_at ?? (status === 'expired' ? expires_at : null);
  return at === null ? <None reason="Still active" /> : <Time at={at} />;
}

function KeyState({ status }: { status: KeyRowWire['status'] }) {
  if (status === 'active') return <State>Active</State>;
  if (status === 'expired') return <Badge tone="warn">Expired</Badge>;
  return <State tone="plain">Revoked</State>;
}
