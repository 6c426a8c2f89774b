import type { RosterInvitationWire } from '@tributary/contract';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { UserRoundPlus } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import { useRefusal } from '../../api/role.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/button.tsx';
import { Curl } from '../../components/command.tsx';
import { Notice, Skeleton } from '../../components/feedback.tsx';
import { PageHead } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { later } from '../../components/later.ts';
import './roster.css';

/** Each comes when it is opened. */
const MembersTab = lazy(() => import('./members-tab.tsx').then((module) => ({ default: module.MembersTab })));
const InvitationsTab = lazy(() =>
  import('./invitations-tab.tsx').then((module) => ({ default: module.InvitationsTab })),
);
const InviteDialog = later(() => import('./invite-dialog.tsx').then((module) => module.InviteDialog));

/** People who were asked by mail to share their data, and those who do. */
export function RosterPage() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const isInvitations = useRouterState({
    select: (state) => state.location.pathname.endsWith('/roster/invitations'),
  });
  const refusal = useRefusal('developer', 'change the roster');
  const onlyLive = environment === 'sandbox' ? 'Invitations reach real people: switch to live.' : null;
  const reason = refusal ?? onlyLive;
  const [asked, setAsked] = useState<{ again: RosterInvitationWire | null } | null>(null);
  const invite = () => setAsked({ again: null });
  const value = isInvitations ? 'invitations' : 'members';
  return (
    <div className="page">
      <PageHead
        title="Roster"
        lead="People who share their health data with you by invitation, and can leave at any time."
        actions={
          <>
            <Curl method="GET" path={isInvitations ? '/v1/team/roster/invitations' : '/v1/team/roster'} />
            <Button kind="primary" reason={reason} onPress={invite}>
              <UserRoundPlus size={14} aria-hidden />
              Invite
            </Button>
          </>
        }
      />
      {onlyLive && (
        <Notice title="The roster is for live.">
          An invitation is a mail to a real person, so it can be sent with live data alone.
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
                <InvitationsTab reason={reason} onInvite={invite} onAgain={(again) => setAsked({ again })} />
              ),
            },
          ]}
        />
      </Suspense>
      {asked && <InviteDialog again={asked.again} onClose={() => setAsked(null)} />}
    </div>
  );
}
