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
import { RoleDialog } from './role-dialog.tsx';
import { InvitationTable } from './team-invitations.tsx';
import { MemberTable } from './team-members.tsx';

type Asked =
  | { act: 'invite'; again: TeamInvitationWire | null }
  | { act: 'role' | 'remove'; member: TeamMemberWire }
  | null;

export function TeamTab() {
  const team = useQuery(teamQuery);
  const reason = useRefusal('owner', 'change the team');
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
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
            onPress={() => setAsked({ act: 'invite', again: null })}
          >
            <UserRoundPlus size={14} aria-hidden />
            Invite colleague
          </Button>
        }
      >
        <MemberTable
          members={members}
          reason={reason}
          onRole={(member) => setAsked({ act: 'role', member })}
          onRemove={(member) => setAsked({ act: 'remove', member })}
        />
      </Card>
      <Card title="Invitations" padded={false}>
        <InvitationTable
          invitations={invitations}
          reason={reason}
          onAgain={(again) => setAsked({ act: 'invite', again })}
        />
      </Card>
      {asked?.act === 'invite' && <InviteDialog again={asked.again} onClose={close} />}
      {asked?.act === 'role' && <RoleDialog member={asked.member} onClose={close} />}
      {asked?.act === 'remove' && <RemoveDialog member={asked.member} onClose={close} />}
    </div>
  );
}
