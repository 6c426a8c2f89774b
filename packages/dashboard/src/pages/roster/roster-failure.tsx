import { Link } from '@tanstack/react-router';
import { ApiFailure, failureMessage } from '../../api/client/failure.ts';
import { useEnvironment } from '../../app/environment.ts';
import { ErrorBox, Notice } from '../../components/feedback/feedback.tsx';

/** Explains why the roster cannot be shown, including missing configuration. */
export function RosterFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const environment = useEnvironment();
  if (!(error instanceof ApiFailure) || error.code !== 'roster_not_configured')
    return <ErrorBox error={error} title="Could not load roster." onRetry={onRetry} />;
  return (
    <Notice
      tone="warn"
      title="The roster is not configured."
      action={
        <Link to="/$environment/settings" params={{ environment }} className="button small">
          Open settings
        </Link>
      }
    >
      {failureMessage(error)}
    </Notice>
  );
}
