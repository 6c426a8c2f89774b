import { useSuspenseQuery } from '@tanstack/react-query';
import type { OperatorRole } from '@tributary/contract';
import { sessionQuery } from './session.ts';

const ranks: Record<OperatorRole, number> = { viewer: 0, developer: 1, owner: 2 };
const requestHints: Record<OperatorRole, string> = {
  viewer: 'Ask a colleague.',
  developer: 'Ask an owner or developer.',
  owner: 'Ask an owner.',
};

/** Returns why the dashboard user may not do something, such as "change webhooks", or null if they may. */
export function useRefusal(least: OperatorRole, act: string): string | null {
  const { role } = useSuspenseQuery(sessionQuery).data;
  if (ranks[role] >= ranks[least]) return null;
  return `${role === 'viewer' ? 'Viewers' : 'Developers'} cannot ${act}. ${requestHints[least]}`;
}
