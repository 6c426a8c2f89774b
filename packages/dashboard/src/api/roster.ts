import { infiniteQueryOptions } from '@tanstack/react-query';
import type { RosterInvitationWire, RosterMemberWire } from '@tributary/contract';
import { call, type Environment } from './client/client.ts';

const api = '/v1/team/roster';

interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

const pagesOf = <Row>(
  name: string,
  path: string,
  { environment, status }: { environment: Environment; status: string | null },
) =>
  infiniteQueryOptions({
    queryKey: ['roster', name, environment, status],
    queryFn: ({ pageParam, signal }) =>
      call<Page<Row>>('GET', path, { environment, query: { status, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const membersQuery = (environment: Environment, status: string | null) =>
  pagesOf<RosterMemberWire>('members', api, { environment, status });

export const invitationsQuery = (environment: Environment, status: string | null) =>
  pagesOf<RosterInvitationWire>('invitations', `${api}/invitations`, { environment, status });

export interface InvitationInput {
  email: string;
  name?: string;
  user_id?: string;
  reference_id?: string;
}

export const invitePerson = (environment: Environment, body: InvitationInput) =>
  call<RosterInvitationWire>('POST', `${api}/invitations`, { environment, body });

export const revokeInvitation = (environment: Environment, id: string) =>
  call('DELETE', `${api}/invitations/${encodeURIComponent(id)}`, { environment });

/** Mails an invitation again with the same link. */
export const resendInvitation = (environment: Environment, id: string) =>
  call<RosterInvitationWire>('POST', `/dashboard/api/roster/invitations/${encodeURIComponent(id)}/resend`, {
    query: { environment },
  });

export const updateMember = (environment: Environment, id: string, status: 'active' | 'archived') =>
  call<RosterMemberWire>('PATCH', `${api}/${encodeURIComponent(id)}`, { environment, body: { status } });

export const removeMember = (environment: Environment, id: string) =>
  call('DELETE', `${api}/${encodeURIComponent(id)}`, { environment });
