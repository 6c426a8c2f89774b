import type { Context } from '../../context.ts';
import { listOpenInvitations, type OpenInvitation } from '../../store/accounts/operator-links.ts';
import type { Operator } from '../../store/accounts/operators.ts';
import { listTeam } from './list-team.ts';

export interface Team {
  members: Operator[];
  /** Invitations that can still be accepted, with the name of the member who sent them. */
  invitations: (OpenInvitation & { invitedBy: string | null })[];
}

/** Returns the dashboard users of an account and its open invitations. */
export async function readTeam(ctx: Pick<Context, 'db' | 'operator'>, accountId: string): Promise<Team> {
  const [members, open] = await Promise.all([
    listTeam(ctx, accountId),
    listOpenInvitations(ctx.db, accountId),
  ]);
  const names = new Map(members.map(({ id, name }) => [id, name]));
  const invitations = open.map((invitation) => ({
    ...invitation,
    invitedBy: invitation.inviterId && (names.get(invitation.inviterId) ?? null),
  }));
  return { members, invitations };
}
