import { useEffect, useEffectEvent, useState } from 'react';
import { Filters } from '../../components/controls/filters.tsx';
import { MoreFilters, type AuditFiltersProps } from './more-filters.tsx';

const chips = [
  { value: 'user.read', label: 'Data reads' },
  { value: 'operator.signed_in', label: 'Sign-ins' },
  { value: 'user.deleted', label: 'Deletions' },
] as const;

const typingMs = 300;

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const [text, setText] = useState(search.search);
  const send = useEffectEvent((typed: string) => typed !== search.search && onChange({ search: typed }));
  useEffect(() => {
    const timer = setTimeout(() => send(text.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  const chip = chips.find(({ value }) => value === search.action)?.value;
  return (
    <Filters
      label="Filter entries"
      search={{ label: 'Search', placeholder: 'ID, colleague or keyword', value: text, onChange: setText }}
      filters={chips}
      selected={chip ? [chip] : []}
      onChange={(all) => onChange({ action: all.at(-1) ?? '' })}
    >
      <MoreFilters search={search} onChange={onChange} />
    </Filters>
  );
}
