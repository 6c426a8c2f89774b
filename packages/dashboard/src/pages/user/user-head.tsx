import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarPlus, Copy, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { failureMessage } from '../../api/client/failure.ts';
import { useRefusal } from '../../api/role.ts';
import { advanceUser } from '../../api/user.ts';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { copyText, Id } from '../../components/feedback/copy.tsx';
import { PageHead } from '../../components/page.tsx';
import { Menu } from '../../components/overlays/menu.tsx';
import type { MenuEntry } from '../../components/overlays/menu-props.ts';
import { Time } from '../../components/overlays/tip.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { later } from '../../components/overlays/later.ts';
import { usePerson } from './person.ts';
import { words } from './health/value-text.ts';

const DeleteUserDialog = later(() =>
  import('./delete-user-dialog.tsx').then((module) => module.DeleteUserDialog),
);

/** An empty text connects any provider. */
export interface UserHeadProps {
  onConnect: (provider: '') => void;
}

export const UserHead = memo(function UserHead({ onConnect }: UserHeadProps) {
  const { user, whose } = usePerson();
  const { environment } = whose;
  const [isDeleting, setDeleting] = useState(false);
  const refusal = useRefusal('developer', 'change users');
  const advance = useAdvance();
  const entries: MenuEntry[] = [
    {
      id: 'copy',
      label: 'Copy ID',
      icon: <Copy size={15} aria-hidden />,
      onAction: () => void copyText(user.id),
    },
    ...(environment === 'sandbox'
      ? [
          {
            id: 'advance',
            label: 'Advance one day',
            icon: <CalendarPlus size={15} aria-hidden />,
            reason: refusal,
            onAction: () => advance.mutate(1),
          },
        ]
      : []),
    {
      id: 'delete',
      label: 'Delete user',
      icon: <Trash2 size={15} aria-hidden />,
      danger: true,
      reason: refusal,
      onAction: () => setDeleting(true),
    },
  ];
  return (
    <>
      <PageHead
        title={user.reference_id}
        crumbs={[
          <Link key="users" to="/$environment/users" params={{ environment }}>
            Users
          </Link>,
        ]}
        mark={<UserState />}
        lead={
          <>
            <Id value={user.id} />
            <span>{user.timezone ?? 'UTC (default)'}</span>
            {user.sandbox && <span>{words(user.sandbox.archetype)}</span>}
            <span>
              {user.last_sync_at ? (
                <>
                  synced <Time at={user.last_sync_at} />
                </>
              ) : (
                'never synced'
              )}
            </span>
          </>
        }
        actions={
          <>
            <Curl method="GET" path={`/v1/users/${user.id}`} />
            {environment === 'sandbox' && (
              <Button reason={refusal} isPending={advance.isPending} onPress={() => advance.mutate(0)}>
                {!advance.isPending && <RefreshCw size={14} aria-hidden />}
                Sync now
              </Button>
            )}
            <Button kind="primary" reason={refusal} onPress={() => onConnect('')}>
              <Plus size={15} aria-hidden />
              Connect device
            </Button>
            <Menu label="More" entries={entries} />
          </>
        }
      />
      {isDeleting && <DeleteUserDialog onClose={() => setDeleting(false)} />}
    </>
  );
});

function UserState() {
  const { user } = usePerson();
  if (user.status === 'deleting') return <Badge tone="bad">Deleting</Badge>;
  if (user.sync.state === 'processing') return <Badge tone="info">Processing</Badge>;
  return user.devices.length === 0 ? <State tone="plain">No device</State> : <State>Active</State>;
}

/** Advances time for a sandbox user. */
function useAdvance() {
  const { whose } = usePerson();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (days: number) => advanceUser(whose.userId, days),
    onSuccess: async (_response, days) => {
      await client.invalidateQueries({ queryKey: ['user', whose.environment, whose.userId] });
      toast(days === 0 ? 'Data is up to date' : 'Advanced one day');
    },
    onError: (error) => toast(failureMessage(error), { failed: true }),
  });
}
