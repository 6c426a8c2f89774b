import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';

export interface TabListProps<Value extends string> {
  label: string;
  tabs: readonly { value: Value; content: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
  /** Prefix of the ids of tabs and panels. */
  id: string;
  className: string;
  tabClassName: string;
}

export const tabId = (id: string, value: string) => `${id}-tab-${value}`;
export const panelId = (id: string, value: string) => `${id}-panel-${value}`;

/** One stop for the Tab key. Arrows, Home and End select. Implemented here because six buttons need no collection library. */
export function TabList<Value extends string>(props: TabListProps<Value>) {
  const { label, tabs, value, onChange, id, className, tabClassName } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const strip = list.current;
    const open = document.getElementById(tabId(id, value));
    if (!strip || !open) return;
    const [left, shown] = [open.getBoundingClientRect().left, strip.getBoundingClientRect().left];
    // On a phone the selected tab may be outside the strip. Scrolls only the strip, never the page.
    strip.scrollLeft += left - shown - (strip.clientWidth - open.offsetWidth) / 2;
  }, [id, value]);
  function onKey(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.value === value);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs.at(to % tabs.length)!.value;
    onChange(next);
    document.getElementById(tabId(id, next))?.focus();
  }
  return (
    <div ref={list} role="tablist" aria-label={label} className={className} onKeyDown={onKey}>
      {tabs.map((tab) => {
        const isOpen = tab.value === value;
        return (
          <button
            key={tab.value}
            id={tabId(id, tab.value)}
            type="button"
            role="tab"
            className={tabClassName}
            aria-selected={isOpen}
            aria-controls={isOpen ? panelId(id, tab.value) : undefined}
            tabIndex={isOpen ? 0 : -1}
            onClick={() => onChange(tab.value)}
          >
            {tab.content}
          </button>
        );
      })}
    </div>
  );
}
