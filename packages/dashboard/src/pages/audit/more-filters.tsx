import { auditActions } from '@tributary/contract/names';
import { useState } from 'react';
import { DateRange } from '../../components/controls/date-range.tsx';
import { NativeSelect } from '../../components/controls/native-select.tsx';
import { describeAction, type AuditSearch } from './audit-text.ts';

const options = [
  { value: 'any', label: 'Any action' },
  ...auditActions.map((value) => ({ value, label: describeAction(value) })),
];

export interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (part: Partial<AuditSearch>) => void;
}

/** Filters by action and by days. */
export function MoreFilters({ search, onChange }: AuditFiltersProps) {
  const [today] = useState(() => localDay(new Date()));
  return (
    <>
      <NativeSelect
        label="Action"
        options={options}
        value={search.action || 'any'}
        onChange={(action) => onChange({ action: action === 'any' ? '' : action })}
      />
      <DateRange
        label="Date range"
        today={today}
        value={search.from && search.to ? { from: search.from, to: search.to } : null}
        onChange={(days) => onChange({ from: days?.from ?? '', to: days?.to ?? '' })}
      />
    </>
  );
}

function localDay(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
