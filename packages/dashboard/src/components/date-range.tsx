import { CalendarDays } from 'lucide-react';
import { useRef, useState } from 'react';
import { shortDay } from '../words/time.ts';
import { Button } from './button.tsx';
import { later } from './later.ts';
import './form.css';

/** Calendar days, both included. */
export interface Days {
  from: string;
  to: string;
}

export interface DateRangeProps {
  label: string;
  value: Days | null;
  onChange: (value: Days | null) => void;
  /** The last day that can be asked for. */
  today: string;
}

/** What floats comes when somebody is about to open it. */
const DateRangeLayer = later(() => import('./date-range-layer.tsx').then((module) => module.DateRangeLayer));

/** Two days in the fields of the browser, which everybody can type in and which phones do best, and the usual spans. */
export function DateRange(props: DateRangeProps) {
  const { label, value } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        ref={button}
        small
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onHoverStart={() => DateRangeLayer.load()}
        onFocus={() => DateRangeLayer.load()}
        onPress={() => setOpen(true)}
      >
        <CalendarDays size={14} aria-hidden />
        <span className="unseen">{label}: </span>
        {value ? `${shortDay(value.from)} – ${shortDay(value.to)}` : 'Any time'}
      </Button>
      {isOpen && <DateRangeLayer {...props} triggerRef={button} onClose={() => setOpen(false)} />}
    </>
  );
}
