import type { RosterInvitationWire } from '@tributary/contract';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureMessage } from '../../api/client/failure.ts';
import { invitationsQuery, resendInvitation, revokeInvitation } from '../../api/roster.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { Menu } from '../../components/overlays/menu.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { EmptyRoster } from './empty-roster.tsx';
import { RosterList } from './roster-list.tsx';

const filters = [
  { value: 'pending', label: 'Pending' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'declined', label: 'Declined' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
] as const;

const onError = (error: unknown) => toast(failureMessage(error), { failed: true });

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
      toast('Invitation revoked');
    },
    onError,
  });
  const resend = useMutation({
    mutationFn: (id: string) => resendInvitation(environment, id),
    onSuccess: async ({ email }) => {
      await changed();
      toast(`Resending to ${email}`);
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
      empty={<EmptyRoster title="Invitations and their status will appear here." {...{ reason, onInvite }} />}
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

/** A mail that did not arrive takes precedence over a missing reply. */
function InvitationState({
  invitation: { status, mail_status: mail },
}: {
  invitation: RosterInvitationWire;
}) {
  if (status !== 'pending')
    return <State tone={status === 'accepted' ? 'ok' : 'plain'}>{words[status]}</State>;
  if (mail === 'failed') return <Badge tone="bad">Email rejected</Badge>;
  if (mail === 'waiting') return <State tone="plain">Sending</State>;
  return <State>Pending</State>;
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
    { key: 'email', label: 'Email', cell: (one) => <span tabIndex={-1}>{one.email}</span> },
    {
      key: 'name',
      label: 'Name',
      wideOnly: true,
      cell: (one) => one.name ?? <None reason="No name given" />,
    },
    { key: 'state', label: 'Status', cell: (one) => <InvitationState invitation={one} /> },
    { key: 'sent', label: 'Sent', wideOnly: true, cell: (one) => <Time at={one.created_at} /> },
    {
      key: 'ends',
      label: 'Expires',
      wideOnly: true,
      cell: (one) =>
        one.status === 'pending' ? <Time at={one.expires_at} /> : <None reason="No longer open" />,
    },
    {
      key: 'act',
      label: 'Actions',
      isLabelHidden: true,
      number: true,
      cell: (one) => (
        <Menu
          label={`Actions for ${one.email}`}
          entries={[
            one.status === 'pending'
              ? {
                  id: 'resend',
                  label: 'Resend invitation',
                  reason: one.mail_status === 'waiting' ? 'The email is being sent.' : reason,
                  onAction: () => onResend(one.id),
                }
              : {
                  id: 'again',
                  label: 'Invite again',
                  reason: one.status === 'accepted' ? 'Already accepted.' : reason,
                  onAction: () => onAgain(one),
                },
            {
              id: 'revoke',
              label: 'Revoke invitation',
              danger: true,
              reason: one.status === 'pending' ? reason : 'No longer pending.',
              onAction: () => onRevoke(one.id),
            },
          ]}
        />
      ),
    },
  ];
}
