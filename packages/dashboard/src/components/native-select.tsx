import './form.css';
import type { Option } from './options.tsx';

export interface NativeSelectProps<Value extends string> {
  /** Heard, not seen: what is chosen says enough beside other filters. */
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** One of many among filters, by the list of the browser: it costs nothing to load, and letters jump to a line. */
export function NativeSelect<Value extends string>(props: NativeSelectProps<Value>) {
  const { label, options, value, onChange } = props;
  return (
    <select
      className="native-select"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
