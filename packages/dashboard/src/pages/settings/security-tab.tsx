import { AuthenticatorCard } from './authenticator-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionCard } from './session-card.tsx';

/** The dashboard user's own credentials. */
export function SecurityTab() {
  return (
    <div className="stack">
      <PasswordCard />
      <AuthenticatorCard />
      <SessionCard />
    </div>
  );
}
