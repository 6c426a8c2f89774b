import { useState, type RefObject } from 'react';
import { Dialog } from 'react-aria-components';
import { Button } from './button.tsx';
import type { DateRangeProps } from './date-range-props.ts';
import { Field } from './field.tsx';
import { FloatingPopover } from '../overlays/floating-popover.tsx';

const spans = [
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
  { label: 'Last 90 days', days: 90 },
];

export interface DateRangeLayerProps extends DateRangeProps {
  triggerRef: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The popover with the calendar days. */
export function DateRangeLayer({ label, value, onChange, today, triggerRef, onClose }: DateRangeLayerProps) {
  return (
    <FloatingPopover
      isOpen
      triggerRef={triggerRef}
      placement="bottom end"
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Dialog className="date-range" aria-label={label}>
        <DateRangeForm
          {...{ value, today }}
          onChange={(days) => {
            onChange(days);
            onClose();
          }}
        />
      </Dialog>
    </FloatingPopover>
  );
}

function DateRangeForm({ value, onChange, today }: Omit<DateRangeProps, 'label'>) {
  const [from, setFrom] = useState(value?.from ?? '');
  const [to, setTo] = useState(value?.to ?? today);
  const wrong = from !== '' && to !== '' && from > to;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (from !== '' && to !== '' && !wrong) onChange({ from, to });
      }}
    >
      <div className="row">
        {spans.map((span) => (
          <Button
            key={span.days}
            small
            onPress={() => onChange({ from: daysBefore(today, span.days - 1), to: today })}
          >
            {span.label}
          </Button>
        ))}
        <Button small onPress={() => onChange(null)}>
          Any time
        </Button>
      </div>
      <div className="date-range-days">
        <Field label="From" type="date" value={from} onChange={setFrom} />
        <Field
          label="To"
          type="date"
          value={to}
          onChange={setTo}
          error={wrong ? 'Must be on or after the start date' : null}
        />
      </div>
      <Button kind="primary" type="submit" isDisabled={from === '' || to === '' || wrong}>
        Apply range
      </Button>
    </form>
  );
}

/** Counts in UTC, where every day has the same length. */
function daysBefore(date: string, count: number): string {
  return new Date(Date.parse(date) - count * 86_400_000).toISOString().slice(0, 10);
}
