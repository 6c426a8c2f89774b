import type { OperatorRole } from '@tributary/contract';

export const roleNames: Record<OperatorRole, string> = {
  owner: 'Owner',
  developer: 'Developer',
  viewer: 'Viewer',
};

/** What each may do, in a line. */
export const roleTexts: Record<OperatorRole, string> = {
  owner: 'Everything, also team, settings and provider credentials',
  developer: 'Everything but team, settings and provider credentials',
  viewer: 'Looks and changes nothing; sees no measured value of live',
};

export const roleOptions = (['developer', 'viewer', 'owner'] as const).map((value) => ({
  value,
  label: roleNames[value],
}));
