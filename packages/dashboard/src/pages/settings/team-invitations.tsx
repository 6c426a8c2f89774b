import type { TeamInvitationWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { revokeColleagueInvitation, teamQuery } from '../../api/team.ts';
import { sayFailure } from '../../api/failure.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Menu } from '../../components/menu.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { None, Time } from '../../components/tip.tsx';
import { toast } from '../../components/toast.tsx';
import { roleNames } from './roles.ts';

export interface InvitationTableProps {
  invitations: readonly TeamInvitationWire[];
  reason: string | null;
  onAgain: (invitation: TeamInvitationWire) => void;
}

export function InvitationTable({ invitations, reason, onAgain }: InvitationTableProps) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: revokeColleagueInvitation,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: teamQuery.queryKey });
      toast('The invitation has ended');
    },
    onError: (error) => toast(sayFailure(error), { failed: true }),
  });
  if (invitations.length === 0)
    return (
      <Empty title="Nobody is invited at the moment.">
        An invited colleague stays here until the link in the mail is used or ends.
      </Empty>
    );
  return (
    <Table<TeamInvitationWire>
      label="Invitations"
      rows={invitations}
      rowKey={(one) => one.id}
      copy={(one) => one.id}
      columns={columnsOf({ reason, onAgain, onRevoke: (id) => revoke.mutate(id) })}
    />
  );
}

function columnsOf({
  reason,
  onAgain,
  onRevoke,
}: {
  reason: string | null;
  onAgain: (one: TeamInvitationWire) => void;
  onRevoke: (id: string) => void;
}): readonly Column<TeamInvitationWire>[] {
  return [
    { key: 'email', label: 'E-mail', cell: (one) => one.email },
    { key: 'role', label: 'Role', cell: (one) => roleNames[one.role] },
    {
      key: 'by',
      label: 'Invited by',
      wideOnly: true,
      cell: (one) => one.invited_by ?? <None reason="Invited by the command line, or who did has left" />,
    },
    { key: 'sent', label: 'Sent', wideOnly: true, cell: (one) => <Time at={one.created_at} /> },
    {
      key: 'ends',
      label: 'Ends',
      cell: (one) =>
        Date.parse(one.expires_at) < Date.now() ? (
          <Badge tone="warn">Ended</Badge>
        ) : (
          <Time at={one.expires_at} />
        ),
    },
    {
      key: 'act',
      label: 'Actions',
      number: true,
      cell: (one) => (
        <Menu
          label={`More about ${one.email}`}
          entries={[
            { id: 'again', label: 'Send again', reason, onAction: () => onAgain(one) },
            {
              id: 'revoke',
              label: 'Revoke',
              danger: true,
              reason,
              onAction: () => onRevoke(one.id),
            },
          ]}
        />
      ),
    },
  ];
}
