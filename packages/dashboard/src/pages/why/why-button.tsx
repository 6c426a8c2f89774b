import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePerson } from '../user/person.ts';
import { prefetchWhy, type WhySubject } from './why-subject.ts';
import './why.css';

/** A value that opens its explanation on click, Enter or `e`. A plain button, because a table has a hundred of them. */
export function WhyButton({
  subject,
  label,
  children,
}: {
  subject: WhySubject;
  label: string;
  children: ReactNode;
}) {
  const { whose, explain } = usePerson();
  const client = useQueryClient();
  const prefetch = () => prefetchWhy(client, whose, subject);
  return (
    <button
      type="button"
      className="why-button"
      aria-label={`${label}: why this value`}
      onClick={() => explain(subject)}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onKeyUp={({ key, target }) => {
        // Table rows handle `e` themselves.
        if (key === 'e' && target instanceof Element && !target.closest('[data-row]')) explain(subject);
      }}
    >
      {children}
    </button>
  );
}
