import { Search, X } from 'lucide-react';
import { Button as AriaButton, Input, SearchField as AriaSearchField } from 'react-aria-components';
import './form.css';

export interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

/** The label is for screen readers. The placeholder is visible. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  return (
    <AriaSearchField className="search-field" aria-label={label} value={value} onChange={onChange}>
      <span className="input-row lead">
        <Search size={15} aria-hidden />
        <Input className="input" placeholder={placeholder} />
        {value !== '' && (
          <AriaButton className="icon-button" aria-label="Clear">
            <X size={14} />
          </AriaButton>
        )}
      </span>
    </AriaSearchField>
  );
}
