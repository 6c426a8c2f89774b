import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, lazy, type ReactNode } from 'react';
import { settingsQuery } from '../../api/settings.ts';
import { useEnvironment } from '../../app/environment.ts';
import { ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { PageHead } from '../../components/page.tsx';
import { Tabs } from '../../components/controls/tabs.tsx';
import './settings.css';

/** Each tab is loaded on demand, because all of them together are too large for a first visit. */
const GeneralTab = lazy(() => import('./general-tab.tsx').then((module) => ({ default: module.GeneralTab })));
const PlanTab = lazy(() => import('./plan-tab.tsx').then((module) => ({ default: module.PlanTab })));
const SecurityTab = lazy(() =>
  import('./security-tab.tsx').then((module) => ({ default: module.SecurityTab })),
);
const TeamTab = lazy(() => import('./team-tab.tsx').then((module) => ({ default: module.TeamTab })));

const tabs = ['account', 'team', 'security', 'plan'] as const;
type Tab = (typeof tabs)[number];

export function SettingsPage() {
  const { tab } = useParams({ strict: false });
  const environment = useEnvironment();
  const navigate = useNavigate();
  const value = tabs.find((one) => one === tab) ?? 'account';
  return (
    <div className="page">
      <PageHead title="Settings" lead="Settings for the whole account, in both live and sandbox." />
      <Tabs<Tab>
        label="Settings"
        value={value}
        onChange={(next) =>
          void navigate({ to: '/$environment/settings/$tab', params: { environment, tab: next } })
        }
        tabs={[
          { value: 'account', label: 'Account', content: <WithSettings part="account" /> },
          { value: 'team', label: 'Team', content: <Later part={<TeamTab />} /> },
          { value: 'security', label: 'Security', content: <Later part={<SecurityTab />} /> },
          { value: 'plan', label: 'Plan', content: <WithSettings part="plan" /> },
        ]}
      />
    </div>
  );
}

function WithSettings({ part }: { part: 'account' | 'plan' }) {
  const settings = useQuery(settingsQuery);
  if (settings.data)
    return (
      <Later
        part={
          part === 'plan' ? <PlanTab settings={settings.data} /> : <GeneralTab settings={settings.data} />
        }
      />
    );
  if (settings.error)
    return (
      <ErrorBox
        error={settings.error}
        title="Could not load settings."
        onRetry={() => void settings.refetch()}
      />
    );
  return <Skeleton heights={[360, 160]} label="Loading settings" />;
}

function Later({ part }: { part: ReactNode }) {
  return <Suspense fallback={<Skeleton heights={[360, 160]} />}>{part}</Suspense>;
}
