import { AuthenticatorCard } from './authenticator-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionCard } from './session-card.tsx';

/** One's own way in; nobody else's can be changed here. */
export function SecurityTab() {
  return (
    <div className="stack">
      <PasswordCard />
      <AuthenticatorCard />
      <SessionCard />
    </div>
  );
}
