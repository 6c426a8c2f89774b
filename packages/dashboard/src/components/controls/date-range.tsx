import { CalendarDays } from 'lucide-react';
import { useRef, useState } from 'react';
import { shortDay } from '../../words/time.ts';
import { Button } from './button.tsx';
import { later } from '../overlays/later.ts';
import './form.css';
import type { DateRangeProps } from './date-range-props.ts';

/** The popover loads when it is about to open. */
const DateRangeLayer = later(() => import('./date-range-layer.tsx').then((module) => module.DateRangeLayer));

/** Two native date fields, which work with typing and on phones, and common ranges. */
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
