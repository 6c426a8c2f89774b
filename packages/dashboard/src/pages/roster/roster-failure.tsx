import { Link } from '@tanstack/react-router';
import { ApiFailure, sayFailure } from '../../api/failure.ts';
import { useEnvironment } from '../../app/environment.ts';
import { ErrorBox, Notice } from '../../components/feedback.tsx';

/** Why the roster cannot be shown; before it can be used at all, what to set. */
export function RosterFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const environment = useEnvironment();
  if (!(error instanceof ApiFailure) || error.code !== 'roster_not_configured')
    return <ErrorBox error={error} title="The roster could not be loaded." onRetry={onRetry} />;
  return (
    <Notice
      tone="warn"
      title="The roster cannot be used yet."
      action={
        <Link to="/$environment/settings" params={{ environment }} className="button small">
          Go to the settings
        </Link>
      }
    >
      {sayFailure(error)}
    </Notice>
  );
}
