import { Link, Outlet, type ErrorComponentProps } from '@tanstack/react-router';
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider';
import { Button } from '../components/button.tsx';
import { ErrorBox } from '../components/feedback.tsx';
import { Toasts } from '../components/toast.tsx';
import { AuthFrame } from '../pages/sign-in/auth-frame.tsx';

/** Around the pages that stand alone. What floats is drawn inside `main`, so that nothing lies outside the landmarks. */
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
      <AuthFrame title="There is no such page">
        <p>The address may be cut off, or the page has moved.</p>
        <Link to="/" className="button primary">
          Go to the dashboard
        </Link>
      </AuthFrame>
    </main>
  );
}

export function Crash({ error, reset }: ErrorComponentProps) {
  return (
    <main>
      <AuthFrame title="The dashboard could not be opened">
        <ErrorBox error={error} title="It stopped here." />
        <Button kind="primary" onPress={reset}>
          Try again
        </Button>
      </AuthFrame>
    </main>
  );
}
