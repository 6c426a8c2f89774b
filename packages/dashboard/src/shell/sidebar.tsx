import type { SignedInWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Keyboard, LogOut, Moon, Sun } from 'lucide-react';
import type { Environment } from '../api/client/client.ts';
import { chooseScheme, useScheme } from '../app/scheme.ts';
import { Avatar } from '../components/feedback/badge.tsx';
import { IconButton } from '../components/controls/button.tsx';
import { Menu } from '../components/overlays/menu.tsx';
import { Logo } from './logo.tsx';
import type { Place, PlaceGroup } from './navigation.ts';

export interface SidebarProps {
  session: SignedInWire;
  environment: Environment;
  groups: readonly PlaceGroup[];
  onEnvironment: (environment: Environment) => void;
  onKeys: () => void;
  onSignOut: () => void;
}

export function Sidebar({ session, environment, groups, onEnvironment, onKeys, onSignOut }: SidebarProps) {
  return (
    <aside className="sidebar" aria-label="Sidebar">
      <div className="brand">
        <Logo />
        Tributary
      </div>
      <EnvSwitch account={session.account.name} environment={environment} onChange={onEnvironment} />
      <nav className="places" aria-label="Main">
        {groups.map(({ title, places }) => (
          <div key={title ?? ''}>
            {title && <h2>{title}</h2>}
            <ul>
              {places.map((place) => (
                <li key={place.path}>
                  <NavLink place={place} environment={environment} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="sidebar-foot">
        <Menu
          label="Profile"
          placement="top start"
          className="operator"
          entries={[
            {
              id: 'keys',
              label: 'Keyboard shortcuts',
              icon: <Keyboard size={15} aria-hidden />,
              shortcut: '?',
              onAction: onKeys,
            },
            { id: 'out', label: 'Sign out', icon: <LogOut size={15} aria-hidden />, onAction: onSignOut },
          ]}
        >
          <Avatar name={session.operator.name} />
          <span className="operator-text">
            <b>{session.operator.name}</b>
            <small>{roleNames[session.role]}</small>
          </span>
        </Menu>
        <SchemeButton />
      </div>
    </aside>
  );
}

const roleNames = { owner: 'Owner', developer: 'Developer', viewer: 'Viewer' } as const;

function NavLink({
  place: { label, path, icon: Icon },
  environment,
}: {
  place: Place;
  environment: Environment;
}) {
  // The places are only known at runtime.
  const to: string = `/${environment}/${path}`;
  return (
    <Link to={to} className="place" activeProps={{ 'aria-current': 'page' }} activeOptions={{ exact: false }}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      {label}
    </Link>
  );
}

export interface EnvSwitchProps {
  account: string;
  environment: Environment;
  onChange: (environment: Environment) => void;
}

const environments = [
  { id: 'live', label: 'Live' },
  { id: 'sandbox', label: 'Sandbox' },
] as const;

/** Shows and switches the environment, always visible. */
export function EnvSwitch({ account, environment, onChange }: EnvSwitchProps) {
  return (
    <Menu
      label="Environment"
      placement="bottom start"
      className="environment"
      entries={environments.map(({ id, label }) => ({
        id,
        label: id === environment ? `${label} (current)` : label,
        icon: id === environment ? <Check size={15} aria-hidden /> : <span className="menu-gap" />,
        onAction: () => onChange(id),
      }))}
    >
      <span className="environment-mark" aria-hidden="true">
        {account.slice(0, 1).toUpperCase()}
      </span>
      <span className="environment-text">
        <b>{account}</b>
        <small className={environment}>
          <span className="dot" aria-hidden="true" />
          {environment === 'live' ? 'Live' : 'Sandbox'}
          <span className="unseen">: switch environment</span>
        </small>
      </span>
      <ChevronsUpDown size={14} aria-hidden />
    </Menu>
  );
}

function SchemeButton() {
  const scheme = useScheme();
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <IconButton label={`Use ${other} theme`} large onPress={() => chooseScheme(other)}>
      {scheme === 'dark' ? <Sun size={16} /> : <Moon size={16} />}
    </IconButton>
  );
}
