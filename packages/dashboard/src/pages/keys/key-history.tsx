import type { KeyRowWire } from '@tributary/contract';
import { Badge, State } from '../../components/badge.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { None, Time } from '../../components/tip.tsx';
import { environmentNames, shortKey } from './key-text.ts';

const columns: readonly Column<KeyRowWire>[] = [
  { key: 'key', label: 'Key', cell: (key) => <code>{shortKey(key)}</code> },
  { key: 'environment', label: 'Environment', cell: (key) => environmentNames[key.environment] },
  { key: 'status', label: 'State', cell: (key) => <KeyState status={key.status} /> },
  { key: 'created', label: 'Created', wideOnly: true, cell: (key) => <Time at={key.created_at} /> },
  {
    key: 'by',
    label: 'By',
    wideOnly: true,
    cell: (key) => key.created_by ?? <None reason="Made by the command line" />,
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
    return <Empty title="Every key that there ever was will be listed here, without its secret." />;
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
  return at === null ? <None reason="Still in use" /> : <Time at={at} />;
}

function KeyState({ status }: { status: KeyRowWire['status'] }) {
  if (status === 'active') return <State>Active</State>;
  if (status === 'expired') return <Badge tone="warn">Expired</Badge>;
  return <State tone="plain">Revoked</State>;
}
