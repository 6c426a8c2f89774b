import type { EventRowWire } from '@tributary/contract';
import { eventTypes } from '@tributary/contract/names';
import { useState } from 'react';
import { Filters } from '../../components/controls/filters.tsx';
import { NativeSelect } from '../../components/controls/native-select.tsx';

/** Empty for no filter. */
export interface EventSearch {
  /** Comma-separated. */
  type: string;
  user: string;
  metric: string;
}

export interface EventFiltersProps {
  search: EventSearch;
  rows: readonly EventRowWire[];
  onChange: (part: Partial<EventSearch>) => void;
}

export function EventFilters({ search, rows, onChange }: EventFiltersProps) {
  const [user, setUser] = useState(search.user);
  const isWrong = user !== '' && !/^user_[0-9a-z]+$/.test(user);
  const metrics = [...new Set([search.metric, ...rows.flatMap(({ event }) => event.metrics)])]
    .filter((metric) => metric !== '')
    .sort();
  const countOf = (type: string) => rows.filter(({ event }) => event.event_type === type).length;
  const selected = search.type === '' ? [] : (search.type.split(',') as (typeof eventTypes)[number][]);
  return (
    <Filters
      label="Filter events"
      search={{
        label: 'User',
        placeholder: 'Filter by user: user_…',
        value: user,
        onChange: (text) => {
          const id = text.trim();
          setUser(id);
          if (id === '' || /^user_[0-9a-z]{26}$/.test(id)) onChange({ user: id });
        },
      }}
      filters={eventTypes.map((value) => ({
        value,
        label: value,
        ...(selected.length === 0 && { count: { value: countOf(value), more: false } }),
      }))}
      selected={selected}
      onChange={(types) => onChange({ type: types.join(',') })}
    >
      <NativeSelect
        label="Metric"
        options={[
          { value: 'any', label: 'Any metric' },
          ...metrics.map((value) => ({ value, label: value })),
        ]}
        value={search.metric || 'any'}
        onChange={(metric) => onChange({ metric: metric === 'any' ? '' : metric })}
      />
      {isWrong && <span className="filter-wrong">User IDs start with user_</span>}
    </Filters>
  );
}
