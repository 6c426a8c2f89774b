import type { UserFilter, UserRowsWire } from '@tributary/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { Filters } from '../../components/controls/filters.tsx';
import type { UsersSearch } from './users-search.ts';

const typingMs = 200;
const chips: readonly { value: UserFilter; label: string }[] = [
  { value: 'not_syncing', label: 'Not syncing' },
  { value: 'no_device', label: 'No device' },
  { value: 'deleting', label: 'Deleting' },
];

export interface UserFiltersProps {
  search: string;
  filter: UserFilter | null;
  counts: UserRowsWire['counts'] | null;
  onChange: (search: UsersSearch) => void;
}

/** One field for references and ids, and one chip at a time. */
export function UserFilters({ search, filter, counts, onChange }: UserFiltersProps) {
  const [typed, setTyped] = useState(search);
  const [before, setBefore] = useState(search);
  // A change of the URL from elsewhere overrides the typed text.
  if (before !== search) {
    setBefore(search);
    setTyped(search);
  }
  const apply = useEffectEvent(() => onChange(searchOf(typed.trim(), filter)));
  useEffect(() => {
    if (typed.trim() === search) return;
    const timer = setTimeout(apply, typingMs);
    return () => clearTimeout(timer);
  }, [typed, search]);
  return (
    <Filters
      label="Filter users"
      filters={chips.map((chip) => ({ ...chip, count: counts && counts[chip.value] }))}
      selected={filter ? [filter] : []}
      onChange={(selected) => onChange(searchOf(search, selected.at(-1) ?? null))}
      search={{
        label: 'Reference or ID',
        placeholder: 'Reference or ID',
        value: typed,
        onChange: setTyped,
      }}
    />
  );
}

function searchOf(q: string, filter: UserFilter | null): UsersSearch {
  return { ...(q !== '' && { q }), ...(filter && { filter }) };
}
