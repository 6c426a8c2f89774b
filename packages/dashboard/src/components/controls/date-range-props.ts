/** Calendar days, both inclusive. */
export interface Days {
  from: string;
  to: string;
}

export interface DateRangeProps {
  label: string;
  value: Days | null;
  onChange: (value: Days | null) => void;
  /** The last selectable day. */
  today: string;
}
