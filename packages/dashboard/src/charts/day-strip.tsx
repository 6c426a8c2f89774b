import { useEffect, useRef, type CSSProperties, type KeyboardEvent } from 'react';
import { format, weekday } from '../words/time.ts';
import './chart.css';

export interface StripDay {
  date: string;
  /** How much is known of it, from 0 to 1; null for nothing. */
  share: number | null;
}

export interface DayStripProps {
  label: string;
  days: readonly StripDay[];
  selected: string;
  onSelect: (date: string) => void;
}

/** Calendar days side by side, one of them open. */
export function DayStrip({ label, days, selected, onSelect }: DayStripProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const strip = box.current;
    const open = strip?.querySelector<HTMLElement>('[aria-pressed="true"]');
    // Only the strip is moved, never the page.
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
      aria-label={`${label}; arrow keys choose one`}
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
            {weekday(date)}, {share === null ? 'no data' : `${Math.round(share * 100)} % known`}
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
