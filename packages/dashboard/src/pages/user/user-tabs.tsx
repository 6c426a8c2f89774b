import { Suspense, lazy, memo, useEffect, type ReactNode } from 'react';
import { Skeleton } from '../../components/feedback/feedback.tsx';
import { Tabs } from '../../components/controls/tabs.tsx';
import { needsAttention } from './devices/device-state.tsx';
import { usePerson } from './person.ts';
import type { UserAddress, UserTab } from './user-address.ts';
import { HiddenValuesNotice } from './health/values-grid.tsx';

const loadTab = {
  health: () => import('./health/health-tab.tsx'),
  days: () => import('./health/days-tab.tsx'),
  workouts: () => import('./health/workouts-tab.tsx'),
  devices: () => import('./devices/devices-tab.tsx'),
  consolidation: () => import('./consolidation/tab.tsx'),
  events: () => import('./events-tab.tsx'),
  reads: () => import('./reads-tab.tsx'),
};
// Most visits open this tab first, so it loads with the page.
const health = loadTab.health();
const HealthTab = lazy(() => health.then(({ HealthTab: tab }) => ({ default: tab })));
const DaysTab = lazy(() => loadTab.days().then(({ DaysTab: tab }) => ({ default: tab })));
const WorkoutsTab = lazy(() => loadTab.workouts().then(({ WorkoutsTab: tab }) => ({ default: tab })));
const DevicesTab = lazy(() => loadTab.devices().then(({ DevicesTab: tab }) => ({ default: tab })));
const ConsolidationTab = lazy(() =>
  loadTab.consolidation().then(({ ConsolidationTab: tab }) => ({ default: tab })),
);
const EventsTab = lazy(() => loadTab.events().then(({ EventsTab: tab }) => ({ default: tab })));
const ReadsTab = lazy(() => loadTab.reads().then(({ ReadsTab: tab }) => ({ default: tab })));

/** Delay before the other tabs are preloaded, so that each opens immediately. */
const laterMs = 1_200;

export interface UserTabsProps extends Pick<UserAddress, 'tab' | 'day' | 'settingKey' | 'show'> {
  /** Whether the role may not see values. */
  isWalled: boolean;
  onConnect: (provider: string) => void;
}

/** The tabs of a user page. Memoized, so that opening an explanation does not render them again. */
export const UserTabs = memo(function UserTabs(props: UserTabsProps) {
  const { tab, show } = props;
  const { user } = usePerson();
  useEffect(() => {
    const timer = setTimeout(() => Object.values(loadTab).forEach((load) => void load()), laterMs);
    return () => clearTimeout(timer);
  }, []);
  const troubled = user.devices.filter(needsAttention).length;
  return (
    <Tabs<UserTab>
      label="User"
      value={tab}
      onChange={(value) => show({ tab: value })}
      tabs={labels.map(({ value, label }) => ({
        value,
        label,
        ...(value === 'devices' && troubled > 0 && { count: troubled, of: 'need attention' }),
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
  { value: 'reads', label: 'Reads' },
];

/** Memoized, so that opening another tab does not render it again. */
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
      return isWalled ? <HiddenValuesNotice /> : <DaysTab day={day} onDay={(date) => show({ day: date })} />;
    case 'workouts':
      return isWalled ? <HiddenValuesNotice /> : <WorkoutsTab />;
    case 'devices':
      return <DevicesTab onConnect={onConnect} />;
    case 'consolidation':
      return <ConsolidationTab settingKey={settingKey} />;
    case 'events':
      return <EventsTab />;
    case 'reads':
      return <ReadsTab />;
  }
}
