import { queryOptions } from '@tanstack/react-query';
import type {
  OperatorNamesWire,
  OperatorRole,
  TeamInvitationWire,
  TeamMemberWire,
} from '@tributary/contract';
import { call } from './client/client.ts';

const api = '/dashboard/api/team';

export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: ({ signal }) =>
    call<{ members: TeamMemberWire[]; invitations: TeamInvitationWire[] }>('GET', api, { signal }),
});

/** A second invitation to the same address replaces the first. */
export const inviteColleague = (body: { email: string; role: OperatorRole }) =>
  call<TeamInvitationWire>('POST', `${api}/invitations`, { body });

export const revokeColleagueInvitation = (id: string) =>
  call('DELETE', `${api}/invitations/${encodeURIComponent(id)}`);

export const changeColleague = ({ id, role }: { id: string; role: OperatorRole }) =>
  call<TeamMemberWire>('PATCH', `${api}/members/${encodeURIComponent(id)}`, { body: { role } });

export const removeColleague = (id: string) => call('DELETE', `${api}/members/${encodeURIComponent(id)}`);

/** Names of dashboard users by id. */
export const operatorNamesQuery = queryOptions({
  queryKey: ['operator-names'],
  queryFn: ({ signal }) => call<OperatorNamesWire>('GET', '/dashboard/api/operators/names', { signal }),
  staleTime: 60_000,
});
