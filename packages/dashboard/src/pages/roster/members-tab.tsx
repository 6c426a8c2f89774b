import type { RosterMemberWire } from '@tributary/contract';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Environment } from '../../api/client/client.ts';
import { failureMessage } from '../../api/client/failure.ts';
import { membersQuery, updateMember } from '../../api/roster.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Avatar, State } from '../../components/feedback/badge.tsx';
import { Menu } from '../../components/overlays/menu.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { Time } from '../../components/overlays/tip.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { later } from '../../components/overlays/later.ts';
import { EmptyRoster } from './empty-roster.tsx';
import { RosterList } from './roster-list.tsx';

/** Loaded on demand. */
const RemoveMember = later(() => import('./remove-dialog.tsx').then((module) => module.RemoveMember));

const filters = [
  { value: 'active', label: 'Active' },
  { value: 'archived', label: 'Archived' },
] as const;

export function MembersTab({ reason, onInvite }: { reason: string | null; onInvite: () => void }) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<'active' | 'archived' | null>(null);
  const [removed, setRemoved] = useState<RosterMemberWire | null>(null);
  const query = useInfiniteQuery(membersQuery(environment, status));
  const update = useMutation({
    mutationFn: (member: RosterMemberWire) =>
      updateMember(environment, member.id, member.status === 'active' ? 'archived' : 'active'),
    onSuccess: async (member) => {
      await queryClient.invalidateQueries({ queryKey: ['roster', 'members'] });
      toast(member.status === 'archived' ? 'Member archived' : 'Member reactivated');
    },
    onError: (error) => toast(failureMessage(error), { failed: true }),
  });
  return (
    <>
      <RosterList
        noun="members"
        query={query}
        filters={filters}
        status={status}
        onStatus={setStatus}
        empty={
          <EmptyRoster
            title="Members will appear here once they accept an invitation."
            {...{ reason, onInvite }}
          />
        }
        columns={columnsOf(environment, {
          reason,
          onToggle: (member) => update.mutate(member),
          onRemove: setRemoved,
        })}
      />
      {removed && <RemoveMember member={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function columnsOf(
  environment: Environment,
  {
    reason,
    onToggle,
    onRemove,
  }: {
    reason: string | null;
    onToggle: (member: RosterMemberWire) => void;
    onRemove: (member: RosterMemberWire) => void;
  },
): readonly Column<RosterMemberWire>[] {
  return [
    {
      key: 'who',
      label: 'Member',
      cell: (member) => (
        <span className="roster-person">
          <Avatar name={member.name ?? member.email} />
          <span>
            <Link to="/$environment/users/$userId" params={{ environment, userId: member.user_id }}>
              {member.name ?? member.email}
            </Link>
            <small>{member.name ? member.email : 'No name given'}</small>
          </span>
        </span>
      ),
    },
    {
      key: 'state',
      label: 'Status',
      cell: (member) =>
        member.status === 'active' ? <State>Active</State> : <State tone="plain">Archived</State>,
    },
    {
      key: 'user',
      label: 'User',
      wideOnly: true,
      cell: (member) => <code>{member.user_id}</code>,
    },
    {
      key: 'joined',
      label: 'Joined',
      wideOnly: true,
      cell: (member) => <Time at={member.joined_at} />,
    },
    {
      key: 'act',
      label: 'Actions',
      isLabelHidden: true,
      number: true,
      cell: (member) => (
        <Menu
          label={`Actions for ${member.name ?? member.email}`}
          entries={[
            {
              id: 'archive',
              label: member.status === 'active' ? 'Archive member' : 'Reactivate member',
              reason,
              onAction: () => onToggle(member),
            },
            {
              id: 'remove',
              label: 'Remove member',
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
