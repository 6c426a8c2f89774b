import { Link, Outlet, type ErrorComponentProps } from '@tanstack/react-router';
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider';
import { Button } from '../components/controls/button.tsx';
import { ErrorBox } from '../components/feedback/feedback.tsx';
import { Toasts } from '../components/feedback/toast.tsx';
import { AuthFrame } from '../pages/sign-in/auth-frame.tsx';

/** Frame of pages outside the shell. Overlays render inside `main` so that nothing is outside the landmarks. */
export function Outside() {
  return (
    <>
      <main id="main">
        <PortalProvider getContainer={() => document.getElementById('layers')}>
          <Outlet />
        </PortalProvider>
        <div id="layers" />
      </main>
      <Toasts />
    </>
  );
}

export function Missing() {
  return (
    <main>
      <AuthFrame title="Page not found">
        <p>The URL may be incomplete, or the page may have moved.</p>
        <Link to="/" className="button primary">
          Go to dashboard
        </Link>
      </AuthFrame>
    </main>
  );
}

export function Crash({ error, reset }: ErrorComponentProps) {
  return (
    <main>
      <AuthFrame title="Could not open the dashboard">
        <ErrorBox error={error} title="Loading failed." />
        <Button kind="primary" onPress={reset}>
          Try again
        </Button>
      </AuthFrame>
    </main>
  );
}
