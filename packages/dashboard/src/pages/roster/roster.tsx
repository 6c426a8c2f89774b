import type { RosterInvitationWire } from '@tributary/contract';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { UserRoundPlus } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import { useRefusal } from '../../api/role.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { Notice, Skeleton } from '../../components/feedback/feedback.tsx';
import { PageHead } from '../../components/page.tsx';
import { Tabs } from '../../components/controls/tabs.tsx';
import { later } from '../../components/overlays/later.ts';
import './roster.css';

/** Each tab is loaded on demand. */
const MembersTab = lazy(() => import('./members-tab.tsx').then((module) => ({ default: module.MembersTab })));
const InvitationsTab = lazy(() =>
  import('./invitations-tab.tsx').then((module) => ({ default: module.InvitationsTab })),
);
const InviteDialog = later(() => import('./invite-dialog.tsx').then((module) => module.InviteDialog));

/** Members, and people who were invited to share their data. */
export function RosterPage() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const isInvitations = useRouterState({
    select: (state) => state.location.pathname.endsWith('/roster/invitations'),
  });
  const refusal = useRefusal('developer', 'change the roster');
  const onlyLive = environment === 'sandbox' ? 'Invitations go to real people. Switch to live.' : null;
  const reason = refusal ?? onlyLive;
  const [dialog, setDialog] = useState<{ again: RosterInvitationWire | null } | null>(null);
  const invite = () => setDialog({ again: null });
  const value = isInvitations ? 'invitations' : 'members';
  return (
    <div className="page">
      <PageHead
        title="Roster"
        lead="Members who accepted your invitation to share health data. They can leave at any time."
        actions={
          <>
            <Curl method="GET" path={isInvitations ? '/v1/team/roster/invitations' : '/v1/team/roster'} />
            <Button kind="primary" reason={reason} onPress={invite}>
              <UserRoundPlus size={14} aria-hidden />
              Invite member
            </Button>
          </>
        }
      />
      {onlyLive && (
        <Notice title="The roster works only in live.">
          Invitations are emailed to real people, so the sandbox cannot send them.
        </Notice>
      )}
      <Suspense fallback={<Skeleton heights={[34, 48, 48]} />}>
        <Tabs
          label="Roster"
          value={value}
          onChange={(next) =>
            void navigate({
              to: next === 'invitations' ? '/$environment/roster/invitations' : '/$environment/roster',
              params: { environment },
            })
          }
          tabs={[
            {
              value: 'members',
              label: 'Members',
              content: <MembersTab reason={reason} onInvite={invite} />,
            },
            {
              value: 'invitations',
              label: 'Invitations',
              content: (
                <InvitationsTab reason={reason} onInvite={invite} onAgain={(again) => setDialog({ again })} />
              ),
            },
          ]}
        />
      </Suspense>
      {dialog && <InviteDialog again={dialog.again} onClose={() => setDialog(null)} />}
    </div>
  );
}
