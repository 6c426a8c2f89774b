import type { AccountSettingsWire } from '@tributary/contract';
import { AccountCard } from './account-card.tsx';
import { DangerCard } from './danger-card.tsx';
import { RedirectCard } from './redirect-card.tsx';

export function GeneralTab({ settings }: { settings: AccountSettingsWire }) {
  return (
    <div className="stack">
      <AccountCard settings={settings} />
      <RedirectCard urls={settings.redirect_urls} />
      <DangerCard />
    </div>
  );
}
