import { Activity, useId, useState, type ReactNode } from 'react';
import { Count } from '../feedback/badge.tsx';
import '../page.css';
import { panelId, tabId, TabList } from './tab-list.tsx';
import { usePainted } from '../overlays/use-painted.ts';

export interface TabsProps<Value extends string> {
  label: string;
  tabs: readonly { value: Value; label: string; count?: number; of?: string; content: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** The URL holds the selected tab, so this component has no state for it. Panels that were open once stay mounted but hidden. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const id = useId();
  // The tab is selected immediately. Its panel renders after the next paint.
  const shown = usePainted(value);
  const [seen, setSeen] = useState([value]);
  if (!seen.includes(shown)) setSeen([...seen, shown]);
  return (
    <div>
      <TabList
        {...{ label, value, onChange, id }}
        className="tab-list"
        tabClassName="tab"
        tabs={tabs.map((tab) => ({
          value: tab.value,
          content: (
            <>
              {tab.label}
              {tab.count !== undefined && <Count value={tab.count} of={tab.of ?? 'total'} />}
            </>
          ),
        }))}
      />
      {tabs.map(
        (tab) =>
          seen.includes(tab.value) && (
            <div
              key={tab.value}
              id={panelId(id, tab.value)}
              role="tabpanel"
              aria-labelledby={tabId(id, tab.value)}
              className="tab-panel"
              hidden={tab.value !== shown}
            >
              <Activity mode={tab.value === shown ? 'visible' : 'hidden'}>{tab.content}</Activity>
            </div>
          ),
      )}
    </div>
  );
}
