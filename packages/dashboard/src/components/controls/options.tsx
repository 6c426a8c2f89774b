import { Check } from 'lucide-react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import './form.css';

export interface Option<Value extends string> {
  value: Value;
  label: string;
}

export interface SelectProps<Value extends string> {
  label: string;
  options: readonly Option<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  help?: string;
  error?: string | null;
  isDisabled?: boolean;
}

/** The list of a select or a combobox. */
export function Options<Value extends string>({ options }: { options: readonly Option<Value>[] }) {
  return (
    <ListBox className="list-box" renderEmptyState={() => <p className="menu-item quiet">No matches</p>}>
      {options.map((option) => (
        <ListBoxItem key={option.value} id={option.value} textValue={option.label} className="menu-item">
          <span className="menu-label">{option.label}</span>
          <Check className="mark" size={14} aria-hidden />
        </ListBoxItem>
      ))}
    </ListBox>
  );
}
