import type { OperatorRole } from '@tributary/contract';

export const roleNames: Record<OperatorRole, string> = {
  owner: 'Owner',
  developer: 'Developer',
  viewer: 'Viewer',
};

/** What each role may do, in a line. */
export const roleTexts: Record<OperatorRole, string> = {
  owner: 'Full access, including team, settings and provider credentials',
  developer: 'Everything except team, settings and provider credentials',
  viewer: 'Read-only, without measured values in live',
};

export const roleOptions = (['developer', 'viewer', 'owner'] as const).map((value) => ({
  value,
  label: roleNames[value],
}));
