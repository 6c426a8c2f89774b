import type { TeamInvitationWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { revokeColleagueInvitation, teamQuery } from '../../api/team.ts';
import { failureMessage } from '../../api/client/failure.ts';
import { Badge } from '../../components/feedback/badge.tsx';
import { Empty } from '../../components/feedback/feedback.tsx';
import { Menu } from '../../components/overlays/menu.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { toast } from '../../components/feedback/toast.tsx';
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
      toast('Invitation revoked');
    },
    onError: (error) => toast(failureMessage(error), { failed: true }),
  });
  if (invitations.length === 0)
    return (
      <Empty title="No open invitations.">
        Invited colleagues appear here until they use the link in the email or it expires.
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
    { key: 'email', label: 'Email', cell: (one) => one.email },
    { key: 'role', label: 'Role', cell: (one) => roleNames[one.role] },
    {
      key: 'by',
      label: 'Invited by',
      wideOnly: true,
      cell: (one) =>
        one.invited_by ?? <None reason="Invited on the command line, or by a colleague who has left" />,
    },
    { key: 'sent', label: 'Sent', wideOnly: true, cell: (one) => <Time at={one.created_at} /> },
    {
      key: 'ends',
      label: 'Expires',
      cell: (one) =>
        Date.parse(one.expires_at) < Date.now() ? (
          <Badge tone="warn">Expired</Badge>
        ) : (
          <Time at={one.expires_at} />
        ),
    },
    {
      key: 'act',
      label: 'Actions',
      isLabelHidden: true,
      number: true,
      cell: (one) => (
        <Menu
          label={`Actions for ${one.email}`}
          entries={[
            { id: 'again', label: 'Resend invitation', reason, onAction: () => onAgain(one) },
            {
              id: 'revoke',
              label: 'Revoke invitation',
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
