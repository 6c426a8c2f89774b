import type { NeedWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import { Activity, KeyRound, PackageX, Plug, ShieldAlert, UserRoundPlus, Users, Webhook } from 'lucide-react';
import type { Environment } from '../../api/client/client.ts';
import { Count } from '../../components/feedback/badge.tsx';
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

/** Problems by severity, or one quiet line if there are none. */
export function Needs({ needs, environment }: { needs: readonly NeedWire[]; environment: Environment }) {
  if (needs.length === 0)
    return (
      <p className="no-needs">
        <Activity size={15} aria-hidden />
        Nothing needs attention.
      </p>
    );
  return (
    <Card title="Needs attention" mark={<Count value={needs.length} of="items" />} padded={false}>
      <ul className="needs">
        {needs.map((need) => {
          const { title, text, isBad, remedy } = needText(need, environment);
          const Icon = icons[need.kind];
          // The target is only known at runtime.
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
