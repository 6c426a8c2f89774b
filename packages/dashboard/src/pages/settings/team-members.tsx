import type { TeamMemberWire } from '@tributary/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session.ts';
import { Avatar, Badge, State } from '../../components/feedback/badge.tsx';
import { Menu } from '../../components/overlays/menu.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { roleNames } from './roles.ts';

export interface MemberTableProps {
  members: readonly TeamMemberWire[];
  reason: string | null;
  onRole: (member: TeamMemberWire) => void;
  onRemove: (member: TeamMemberWire) => void;
}

export function MemberTable({ members, reason, onRole, onRemove }: MemberTableProps) {
  const { operator } = useSuspenseQuery(sessionQuery).data;
  return (
    <Table<TeamMemberWire>
      label="Colleagues"
      rows={members}
      rowKey={(member) => member.id}
      copy={(member) => member.id}
      columns={columnsOf(operator.id, { reason, onRole, onRemove })}
    />
  );
}

function columnsOf(
  ownId: string,
  { reason, onRole, onRemove }: Omit<MemberTableProps, 'members'>,
): readonly Column<TeamMemberWire>[] {
  return [
    {
      key: 'who',
      label: 'Name',
      cell: (member) => (
        <span className="person" tabIndex={-1}>
          <Avatar name={member.name || member.email} />
          <span>
            <span>
              {member.name}
              {member.id === ownId && <span className="quiet"> (you)</span>}
            </span>
            <small>{member.email}</small>
          </span>
        </span>
      ),
    },
    { key: 'role', label: 'Role', cell: (member) => roleNames[member.role] },
    {
      key: 'two-factor',
      label: 'Two-factor',
      wideOnly: true,
      cell: (member) => (member.two_factor ? <State>On</State> : <Badge tone="warn">No authenticator</Badge>),
    },
    { key: 'joined', label: 'Joined', wideOnly: true, cell: (member) => <Time at={member.joined_at} /> },
    {
      key: 'seen',
      label: 'Last seen',
      wideOnly: true,
      cell: (member) =>
        member.last_seen_at ? <Time at={member.last_seen_at} /> : <None reason="Never signed in" />,
    },
    {
      key: 'act',
      label: 'Actions',
      isLabelHidden: true,
      number: true,
      cell: (member) => (
        <Menu
          label={`Actions for ${member.name || member.email}`}
          entries={[
            { id: 'role', label: 'Change role', reason, onAction: () => onRole(member) },
            {
              id: 'remove',
              label: member.id === ownId ? 'Leave account' : 'Remove colleague',
              danger: true,
              reason,
              onAction: () => onRemove(member),
            },
          ]}
        />
      ),
    },
  ];
}
