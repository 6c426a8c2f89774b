import type { TeamInvitationWire, TeamMemberWire } from '@tributary/contract';
import { useQuery } from '@tanstack/react-query';
import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../api/role.ts';
import { teamQuery } from '../../api/team.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { RequireCard } from './require-card.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { InvitationTable } from './team-invitations.tsx';
import { MemberTable } from './team-members.tsx';

type OpenDialog =
  | { act: 'invite'; again: TeamInvitationWire | null }
  | { act: 'role' | 'remove'; member: TeamMemberWire }
  | null;

export function TeamTab() {
  const team = useQuery(teamQuery);
  const reason = useRefusal('owner', 'change the team');
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = () => setDialog(null);
  if (team.error && !team.data)
    return <ErrorBox error={team.error} title="Could not load team." onRetry={() => void team.refetch()} />;
  if (!team.data) return <Skeleton heights={[220, 120]} label="Loading team" />;
  const { members, invitations } = team.data;
  return (
    <div className="stack">
      <Card
        title="Colleagues"
        note="Owners can do everything. Developers cannot change the team, settings or provider credentials. Viewers have read-only access and see no measured values in live."
        padded={false}
        actions={
          <Button
            kind="primary"
            small
            reason={reason}
            onPress={() => setDialog({ act: 'invite', again: null })}
          >
            <UserRoundPlus size={14} aria-hidden />
            Invite colleague
          </Button>
        }
      >
        <MemberTable
          members={members}
          reason={reason}
          onRole={(member) => setDialog({ act: 'role', member })}
          onRemove={(member) => setDialog({ act: 'remove', member })}
        />
      </Card>
      <Card title="Invitations" padded={false}>
        <InvitationTable
          invitations={invitations}
          reason={reason}
          onAgain={(again) => setDialog({ act: 'invite', again })}
        />
      </Card>
      <RequireCard members={members} reason={reason} />
      {dialog?.act === 'invite' && <InviteDialog again={dialog.again} onClose={close} />}
      {dialog?.act === 'role' && <RoleDialog member={dialog.member} onClose={close} />}
      {dialog?.act === 'remove' && <RemoveDialog member={dialog.member} onClose={close} />}
    </div>
  );
}
