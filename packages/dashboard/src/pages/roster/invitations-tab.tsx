import type { RosterInvitationWire } from '@tributary/contract';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sayFailure } from '../../api/failure.ts';
import { invitationsQuery, resendInvitation, revokeInvitation } from '../../api/roster.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Badge, State } from '../../components/badge.tsx';
import { Menu } from '../../components/menu.tsx';
import type { Column } from '../../components/table.tsx';
import { None, Time } from '../../components/tip.tsx';
import { toast } from '../../components/toast.tsx';
import { NobodyYet } from './nobody-yet.tsx';
import { RosterList } from './roster-list.tsx';

const filters = [
  { value: 'pending', label: 'Waiting' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'declined', label: 'Declined' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
] as const;

const onError = (error: unknown) => toast(sayFailure(error), { failed: true });

export interface InvitationsTabProps {
  reason: string | null;
  onInvite: () => void;
  onAgain: (invitation: RosterInvitationWire) => void;
}

export function InvitationsTab({ reason, onInvite, onAgain }: InvitationsTabProps) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<(typeof filters)[number]['value'] | null>(null);
  const query = useInfiniteQuery({ ...invitationsQuery(environment, status), refetchInterval: 15_000 });
  const changed = () => queryClient.invalidateQueries({ queryKey: ['roster', 'invitations'] });
  const revoke = useMutation({
    mutationFn: (id: string) => revokeInvitation(environment, id),
    onSuccess: async () => {
      await changed();
      toast('The link has ended');
    },
    onError,
  });
  const resend = useMutation({
    mutationFn: (id: string) => resendInvitation(environment, id),
    onSuccess: async ({ email }) => {
      await changed();
      toast(`On its way to ${email}`);
    },
    onError,
  });
  return (
    <RosterList
      noun="invitations"
      query={query}
      filters={filters}
      status={status}
      onStatus={setStatus}
      empty={
        <NobodyYet
          title="Every invitation will be listed here, with what became of it."
          {...{ reason, onInvite }}
        />
      }
      columns={columnsOf({
        reason,
        onAgain,
        onResend: (id) => resend.mutate(id),
        onRevoke: (id) => revoke.mutate(id),
      })}
    />
  );
}

const words = {
  accepted: 'Accepted',
  declined: 'Declined',
  revoked: 'Revoked',
  expired: 'Expired',
} as const;

/** A mail that did not arrive matters more than that nobody answered it. */
function InvitationState({
  invitation: { status, mail_status: mail },
}: {
  invitation: RosterInvitationWire;
}) {
  if (status !== 'pending')
    return <State tone={status === 'accepted' ? 'ok' : 'plain'}>{words[status]}</State>;
  if (mail === 'failed') return <Badge tone="bad">Mail refused</Badge>;
  if (mail === 'waiting') return <State tone="plain">Being sent</State>;
  return <State>Waiting</State>;
}

function columnsOf({
  reason,
  onAgain,
  onResend,
  onRevoke,
}: {
  reason: string | null;
  onAgain: (one: RosterInvitationWire) => void;
  onResend: (id: string) => void;
  onRevoke: (id: string) => void;
}): readonly Column<RosterInvitationWire>[] {
  return [
    { key: 'email', label: 'E-mail', cell: (one) => <span tabIndex={-1}>{one.email}</span> },
    {
      key: 'name',
      label: 'Name',
      wideOnly: true,
      cell: (one) => one.name ?? <None reason="No name was given" />,
    },
    { key: 'state', label: 'State', cell: (one) => <InvitationState invitation={one} /> },
    { key: 'sent', label: 'Sent', wideOnly: true, cell: (one) => <Time at={one.created_at} /> },
    {
      key: 'ends',
      label: 'Ends',
      wideOnly: true,
      cell: (one) =>
        one.status === 'pending' ? (
          <Time at={one.expires_at} />
        ) : (
          <None reason="It cannot be answered any more" />
        ),
    },
    {
      key: 'act',
      label: 'Actions',
      number: true,
      cell: (one) => (
        <Menu
          label={`More about ${one.email}`}
          entries={[
            one.status === 'pending'
              ? {
                  id: 'resend',
                  label: 'Send again',
                  reason: one.mail_status === 'waiting' ? 'It is being sent.' : reason,
                  onAction: () => onResend(one.id),
                }
              : {
                  id: 'again',
                  label: 'Invite again',
                  reason: one.status === 'accepted' ? 'It was accepted.' : reason,
                  onAction: () => onAgain(one),
                },
            {
              id: 'revoke',
              label: 'Revoke',
              danger: true,
              reason: one.status === 'pending' ? reason : 'It has ended already.',
              onAction: () => onRevoke(one.id),
            },
          ]}
        />
      ),
    },
  ];
}
