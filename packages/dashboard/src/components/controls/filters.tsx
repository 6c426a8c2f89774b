import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components';
import { countUpTo } from '../../words/time.ts';
import './form.css';
import { SearchField } from './search-field.tsx';

interface Filter<Value extends string> {
  value: Value;
  label: string;
  /** The number of rows, or null while it loads. */
  count?: { value: number; more: boolean } | null;
}

export interface FiltersProps<Value extends string> {
  label: string;
  filters: readonly Filter<Value>[];
  selected: readonly Value[];
  onChange: (selected: Value[]) => void;
  search?: { label: string; placeholder: string; value: string; onChange: (value: string) => void };
  /** More controls at the end of the row. */
  children?: ReactNode;
}

/** Filters of a table: a search field, and chips with the number of rows for each. */
export function Filters<Value extends string>(props: FiltersProps<Value>) {
  const { label, filters, selected, onChange, search, children } = props;
  return (
    <div className="filters" role="group" aria-label={label}>
      {search && <SearchField {...search} />}
      {filters.map((filter) => (
        <ToggleButton
          key={filter.value}
          className="filter"
          isSelected={selected.includes(filter.value)}
          onChange={(on) =>
            onChange(on ? [...selected, filter.value] : selected.filter((one) => one !== filter.value))
          }
        >
          {filter.label}
          {filter.count && <small>{countUpTo(filter.count)}</small>}
        </ToggleButton>
      ))}
      {children}
    </div>
  );
}
