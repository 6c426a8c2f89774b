import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import './button.css';

export interface ToggleGroupProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  /** Null if no option applies. */
  value: Value | null;
  onChange: (value: Value) => void;
}

export function ToggleGroup<Value extends string>({
  label,
  options,
  value,
  onChange,
}: ToggleGroupProps<Value>) {
  return (
    <ToggleButtonGroup
      className="toggle-group"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={value === null ? [] : [value]}
      onSelectionChange={(keys) => {
        const [chosen] = keys;
        if (chosen !== undefined) onChange(chosen as Value);
      }}
    >
      {options.map((option) => (
        <ToggleButton key={option.value} id={option.value}>
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
