import './form.css';
import type { Option } from './options.tsx';

export interface NativeSelectProps<Value extends string> {
  /** Accessible name only. Among other filters, the selected value needs no visible label. */
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A filter with the browser's own list, which needs no extra code and supports typing to jump to an option. */
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
