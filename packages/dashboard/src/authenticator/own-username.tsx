import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.ts';

/** A hidden field that shows password managers which account a form is for. */
export function OwnUsername() {
  const { operator } = useSuspenseQuery(sessionQuery).data;
  return (
    <input
      className="unseen"
      type="text"
      name="username"
      autoComplete="username"
      value={operator.email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}
