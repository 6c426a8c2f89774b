import {
  Activity,
  Eye,
  KeyRound,
  LayoutGrid,
  Plug,
  ScrollText,
  Settings,
  UserRoundPlus,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';

export interface Place {
  label: string;
  /** The first part of its path, after the environment. */
  path: string;
  /** The letter after `g`. */
  letter: string;
  icon: LucideIcon;
}

export interface PlaceGroup {
  title: string | null;
  places: readonly Place[];
}

/** The places in the sidebar. Only places with a page are shown. */
export const placeGroups: readonly PlaceGroup[] = [
  {
    title: null,
    places: [
      { label: 'Overview', path: 'overview', letter: 'o', icon: LayoutGrid },
      { label: 'Users', path: 'users', letter: 'u', icon: Users },
      { label: 'Events', path: 'events', letter: 'e', icon: Activity },
      { label: 'Webhooks', path: 'webhooks', letter: 'w', icon: Webhook },
    ],
  },
  {
    title: 'Connect',
    places: [
      { label: 'API keys', path: 'keys', letter: 'k', icon: KeyRound },
      { label: 'Providers', path: 'providers', letter: 'p', icon: Plug },
      { label: 'Roster', path: 'roster', letter: 'r', icon: UserRoundPlus },
    ],
  },
  {
    title: 'Account',
    places: [
      { label: 'Audit log', path: 'audit', letter: 'a', icon: ScrollText },
      { label: 'Data access', path: 'access', letter: 'd', icon: Eye },
      { label: 'Settings', path: 'settings', letter: 's', icon: Settings },
    ],
  },
];

/** Returns the groups with only the places that have a page. */
export function placesWith(hasPage: (path: string) => boolean): PlaceGroup[] {
  return placeGroups
    .map(({ title, places }) => ({ title, places: places.filter(({ path }) => hasPage(path)) }))
    .filter(({ places }) => places.length > 0);
}
