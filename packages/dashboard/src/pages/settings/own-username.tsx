import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session.ts';

/** Says whose password a form asks for, to whatever keeps passwords; nobody sees it. */
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
