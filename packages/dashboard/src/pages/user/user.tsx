import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { isFailure } from '../../api/failure.ts';
import { sessionQuery } from '../../api/session.ts';
import { userQuery } from '../../api/user.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback.tsx';
import { later } from '../../components/later.ts';
import { Card, PageHead } from '../../components/page.tsx';
import { WithPanel } from '../../components/panel.tsx';
import { usePainted } from '../../components/use-painted.ts';
import { DeviceNotice } from './device-notice.tsx';
import { PersonContext, todayOf, WhyContext, type Person } from './person.ts';
import { useUserAddress } from './user-address.ts';
import './user.css';
import { UserHead } from './user-head.tsx';
import { UserTabs } from './user-tabs.tsx';

const WhyPanel = later(() => import('../why/why-panel.tsx').then((module) => module.WhyPanel));
const ConnectDialog = later(() => import('./connect-dialog.tsx').then((module) => module.ConnectDialog));

/** What opens beside the page and over it comes once the page stands. */
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
            title={`There is no such user in ${environment}.`}
            action={
              <Link className="button" to="/$environment/users" params={{ environment }}>
                Show all users
              </Link>
            }
          >
            It may have been deleted, or belong to the other environment.
          </Empty>
        </Card>
      ) : (
        user.error && (
          <ErrorBox
            error={user.error}
            title="The user could not be loaded."
            onRetry={() => void user.refetch()}
          />
        )
      )}
      {user.isPending && <Skeleton heights={[34, 330, 420]} label="Loading the user" />}
    </div>
  );
}

function UserView({ data: user }: { data: Person['user'] }) {
  const environment = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { tab, day, why, settingKey, show } = useUserAddress(user.id);
  // The value is marked at once; the panel, for which all of the page makes room, follows.
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
