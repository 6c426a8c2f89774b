import { Suspense, lazy, memo, useEffect, type ReactNode } from 'react';
import { Skeleton } from '../../components/feedback.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { needsSomebody } from './device-state.tsx';
import { usePerson } from './person.ts';
import type { UserAddress, UserTab } from './user-address.ts';
import { ValuesWall } from './values-wall.tsx';

const loadTab = {
  health: () => import('./health-tab.tsx'),
  days: () => import('./days-tab.tsx'),
  workouts: () => import('./workouts-tab.tsx'),
  devices: () => import('./devices-tab.tsx'),
  consolidation: () => import('./consolidation-tab.tsx'),
  events: () => import('./events-tab.tsx'),
};
// It is what almost everybody opens first, so that it comes along with the page.
const health = loadTab.health();
const HealthTab = lazy(() => health.then(({ HealthTab: tab }) => ({ default: tab })));
const DaysTab = lazy(() => loadTab.days().then(({ DaysTab: tab }) => ({ default: tab })));
const WorkoutsTab = lazy(() => loadTab.workouts().then(({ WorkoutsTab: tab }) => ({ default: tab })));
const DevicesTab = lazy(() => loadTab.devices().then(({ DevicesTab: tab }) => ({ default: tab })));
const ConsolidationTab = lazy(() =>
  loadTab.consolidation().then(({ ConsolidationTab: tab }) => ({ default: tab })),
);
const EventsTab = lazy(() => loadTab.events().then(({ EventsTab: tab }) => ({ default: tab })));

/** The other tabs come while the first is read, so that each opens at once. */
const laterMs = 1_200;

export interface UserTabsProps extends Pick<UserAddress, 'tab' | 'day' | 'settingKey' | 'show'> {
  /** Whether whoever looks may not see values. */
  isWalled: boolean;
  onConnect: (provider: string) => void;
}

/** What a user has, part by part. What is explained beside it draws none of it anew. */
export const UserTabs = memo(function UserTabs(props: UserTabsProps) {
  const { tab, show } = props;
  const { user } = usePerson();
  useEffect(() => {
    const timer = setTimeout(() => Object.values(loadTab).forEach((load) => void load()), laterMs);
    return () => clearTimeout(timer);
  }, []);
  const troubled = user.devices.filter(needsSomebody).length;
  return (
    <Tabs<UserTab>
      label="User"
      value={tab}
      onChange={(value) => show({ tab: value })}
      tabs={labels.map(({ value, label }) => ({
        value,
        label,
        ...(value === 'devices' && troubled > 0 && { count: troubled, of: 'need somebody' }),
        content: <TabContent {...props} tab={value} />,
      }))}
    />
  );
});

const labels: readonly { value: UserTab; label: string }[] = [
  { value: 'health', label: 'Health' },
  { value: 'days', label: 'Days' },
  { value: 'workouts', label: 'Workouts' },
  { value: 'devices', label: 'Devices' },
  { value: 'consolidation', label: 'Consolidation' },
  { value: 'events', label: 'Events' },
];

/** Drawn anew when something of it changes, not when another tab opens. */
const TabContent = memo(function TabContent(props: UserTabsProps) {
  return <Suspense fallback={<Skeleton heights={[34, 420]} />}>{contentOf(props)}</Suspense>;
});

function contentOf({ tab, day, settingKey, isWalled, show, onConnect }: UserTabsProps): ReactNode {
  switch (tab) {
    case 'health':
      return (
        <HealthTab isWalled={isWalled} onDevices={() => show({ tab: 'devices' })} onConnect={onConnect} />
      );
    case 'days':
      return isWalled ? <ValuesWall /> : <DaysTab day={day} onDay={(date) => show({ day: date })} />;
    case 'workouts':
      return isWalled ? <ValuesWall /> : <WorkoutsTab />;
    case 'devices':
      return <DevicesTab onConnect={onConnect} />;
    case 'consolidation':
      return <ConsolidationTab settingKey={settingKey} />;
    case 'events':
      return <EventsTab />;
  }
}
