import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { isFailure } from '../../api/client/failure.ts';
import { sessionQuery } from '../../api/session.ts';
import { userQuery } from '../../api/user.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { later } from '../../components/overlays/later.ts';
import { Card, PageHead } from '../../components/page.tsx';
import { WithPanel } from '../../components/panel.tsx';
import { usePainted } from '../../components/overlays/use-painted.ts';
import { DeviceNotice } from './devices/device-notice.tsx';
import { PersonContext, todayOf, WhyContext, type Person } from './person.ts';
import { useUserAddress } from './user-address.ts';
import './user.css';
import { UserHead } from './user-head.tsx';
import { UserTabs } from './user-tabs.tsx';

const WhyPanel = later(() => import('../why/why-panel.tsx').then((module) => module.WhyPanel));
const ConnectDialog = later(() =>
  import('./devices/connect-dialog.tsx').then((module) => module.ConnectDialog),
);

/** Delay before panels and dialogs are preloaded after the page. */
const laterMs = 300;

export function UserPage() {
  const environment = useEnvironment();
  const { userId } = useParams({ from: '/inside/$environment/users/$userId' });
  const user = useQuery(userQuery(environment, userId));
  if (user.data) return <UserView key={userId} data={user.data} />;
  const crumbs = [
    <Link key="users" to="/$environment/users" params={{ environment }}>
      Users
    </Link>,
  ];
  return (
    <div className="page">
      <PageHead title={user.error ? 'User' : userId} crumbs={crumbs} />
      {isFailure(user.error, 404) ? (
        <Card padded={false}>
          <Empty
            title={`User not found in ${environment}.`}
            action={
              <Link className="button" to="/$environment/users" params={{ environment }}>
                Show all users
              </Link>
            }
          >
            The user may have been deleted, or may belong to the other environment.
          </Empty>
        </Card>
      ) : (
        user.error && (
          <ErrorBox error={user.error} title="Could not load user." onRetry={() => void user.refetch()} />
        )
      )}
      {user.isPending && <Skeleton heights={[34, 330, 420]} label="Loading user" />}
    </div>
  );
}

function UserView({ data: user }: { data: Person['user'] }) {
  const environment = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { tab, day, why, settingKey, show } = useUserAddress(user.id);
  // The value is highlighted immediately. The panel, which changes the page layout, follows.
  const explained = usePainted(why);
  // An empty text for any provider, null for no dialog.
  const [connecting, setConnecting] = useState<string | null>(null);
  const person = useMemo<Person>(
    () => ({
      user,
      whose: { environment, userId: user.id },
      timeZone: user.timezone ?? 'UTC',
      today: todayOf(user),
      explain: (subject) => show({ why: subject }),
    }),
    [user, environment, show],
  );
  useEffect(() => {
    const timer = setTimeout(() => (WhyPanel.load(), ConnectDialog.load()), laterMs);
    return () => clearTimeout(timer);
  }, []);
  const isWalled = session.role === 'viewer' && environment === 'live';
  return (
    <PersonContext value={person}>
      <WhyContext value={why}>
        <WithPanel
          panel={
            explained &&
            !isWalled && (
              <WhyPanel
                subject={explained}
                onClose={() => show({ why: null })}
                onSettings={(key) => show({ tab: 'consolidation', settingKey: key, why: null })}
              />
            )
          }
        >
          <div className="page">
            <UserHead onConnect={setConnecting} />
            <DeviceNotice onConnect={setConnecting} />
            <UserTabs {...{ tab, day, settingKey, isWalled, show }} onConnect={setConnecting} />
          </div>
        </WithPanel>
      </WhyContext>
      {connecting !== null && (
        <ConnectDialog provider={connecting || null} onClose={() => setConnecting(null)} />
      )}
    </PersonContext>
  );
}
