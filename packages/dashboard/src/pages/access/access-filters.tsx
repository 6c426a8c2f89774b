import { useEffect, useEffectEvent, useState } from 'react';
import { DateRange } from '../../components/controls/date-range.tsx';
import { Filters } from '../../components/controls/filters.tsx';
import type { AccessSearch } from './access-text.ts';

const typingMs = 300;

interface AccessFiltersProps {
  search: AccessSearch;
  onChange: (part: Partial<AccessSearch>) => void;
}

export function AccessFilters({ search, onChange }: AccessFiltersProps) {
  const [text, setText] = useState(search.search);
  const [sent, setSent] = useState(search.search);
  const [today] = useState(() => localDay(new Date()));
  // A link in the table changes the search as well.
  if (search.search !== sent) {
    setSent(search.search);
    setText(search.search);
  }
  const send = useEffectEvent((typed: string) => {
    if (typed === search.search) return;
    setSent(typed);
    onChange({ search: typed });
  });
  useEffect(() => {
    const timer = setTimeout(() => send(text.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Filters
      label="Filter reads"
      search={{
        label: 'Search',
        placeholder: 'User, key or token ID, or colleague',
        value: text,
        onChange: setText,
      }}
      filters={[]}
      selected={[]}
      onChange={() => {}}
    >
      <DateRange
        label="Date range"
        today={today}
        value={search.from && search.to ? { from: search.from, to: search.to } : null}
        onChange={(days) => onChange({ from: days?.from ?? '', to: days?.to ?? '' })}
      />
    </Filters>
  );
}

function localDay(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
