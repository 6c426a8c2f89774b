import { useEffect, useRef, type CSSProperties, type KeyboardEvent } from 'react';
import { format, weekday } from '../words/time.ts';
import './chart.css';

export interface StripDay {
  date: string;
  /** Data completeness from 0 to 1, or null for no data. */
  share: number | null;
}

export interface DayStripProps {
  label: string;
  days: readonly StripDay[];
  selected: string;
  onSelect: (date: string) => void;
}

/** Calendar days in a row, with one selected. */
export function DayStrip({ label, days, selected, onSelect }: DayStripProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const strip = box.current;
    const open = strip?.querySelector<HTMLElement>('[aria-pressed="true"]');
    // Scrolls only the strip, never the page.
    if (strip && open) strip.scrollLeft = open.offsetLeft - strip.clientWidth / 2;
  }, [selected]);
  function onKey(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && days[days.findIndex(({ date }) => date === selected) + step];
    if (!next) return;
    event.preventDefault();
    onSelect(next.date);
    box.current?.querySelector<HTMLElement>(`[data-date="${next.date}"]`)?.focus({ preventScroll: true });
  }
  return (
    <div
      ref={box}
      className="day-strip"
      role="group"
      aria-label={`${label}. Use the arrow keys to select a day.`}
      onKeyDown={onKey}
    >
      {days.map(({ date, share }) => (
        <button
          key={date}
          type="button"
          className="day"
          data-date={date}
          aria-pressed={date === selected}
          tabIndex={date === selected ? 0 : -1}
          onClick={() => onSelect(date)}
        >
          <span className="unseen">
            {weekday(date)}, {share === null ? 'no data' : `${Math.round(share * 100)}% complete`}
          </span>
          <span aria-hidden="true">{format(new Date(date), { weekday: 'narrow', timeZone: 'UTC' })}</span>
          <b aria-hidden="true">{Number(date.slice(8))}</b>
          <span
            className={share === null ? 'day-level unknown' : 'day-level'}
            style={{ '--level': `${(share ?? 0) * 100}%` } as CSSProperties}
          />
        </button>
      ))}
    </div>
  );
}
