import type { NeedWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import { Activity, KeyRound, PackageX, Plug, ShieldAlert, UserRoundPlus, Users, Webhook } from 'lucide-react';
import type { Environment } from '../../api/client.ts';
import { Count } from '../../components/badge.tsx';
import { Card } from '../../components/page.tsx';
import { needText } from './need-text.ts';

const icons = {
  webhook_disabled: Webhook,
  webhook_failing: Webhook,
  provider_refusing: Plug,
  dead_letters: PackageX,
  devices_silent: Users,
  key_ending: KeyRound,
  no_authenticator: ShieldAlert,
  roster_not_configured: UserRoundPlus,
} as const;

/** What is worst comes first; nothing at all is one quiet line. */
export function Needs({ needs, environment }: { needs: readonly NeedWire[]; environment: Environment }) {
  if (needs.length === 0)
    return (
      <p className="no-needs">
        <Activity size={15} aria-hidden />
        Nothing needs you.
      </p>
    );
  return (
    <Card title="Needs you" mark={<Count value={needs.length} of="things" />} padded={false}>
      <ul className="needs">
        {needs.map((need) => {
          const { title, text, isBad, remedy } = needText(need, environment);
          const Icon = icons[need.kind];
          // Which page it leads to is known only while the page runs.
          const to: string = `/${environment}/${remedy?.path ?? ''}`;
          return (
            <li key={`${need.kind} ${need.subject?.id ?? ''}`}>
              <Icon size={16} className={isBad ? 'bad' : 'warn'} aria-hidden />
              <p>
                <b>{title}</b> {text}
              </p>
              {remedy && (
                <Link className="button small" to={to} search={remedy.search ?? {}}>
                  {remedy.label}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
