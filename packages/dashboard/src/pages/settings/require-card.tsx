import type { TeamMemberWire } from '@tributary/contract';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { needsConfirmation } from '../../api/confirmation.ts';
import { sessionQuery } from '../../api/session.ts';
import { changeSettings, settingsQuery } from '../../api/settings.ts';
import { ConfirmIdentity } from '../../authenticator/confirm-identity.tsx';
import { Switch } from '../../components/controls/switch.tsx';
import { ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { Card } from '../../components/page.tsx';
import { plural } from '../../words/time.ts';

/** Whether all colleagues need an authenticator. */
export function RequireCard({
  members,
  reason,
}: {
  members: readonly TeamMemberWire[];
  reason: string | null;
}) {
  const queryClient = useQueryClient();
  const settings = useQuery(settingsQuery);
  const { operator } = useSuspenseQuery(sessionQuery).data;
  const change = useMutation({
    mutationFn: changeSettings,
    onSuccess: (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      toast(saved.require_authenticator ? 'Authenticators are required' : 'Authenticators are optional');
    },
  });
  if (settings.error && !settings.data)
    return (
      <ErrorBox
        error={settings.error}
        title="Could not load settings."
        onRetry={() => void settings.refetch()}
      />
    );
  if (!settings.data) return <Skeleton heights={[120]} label="Loading settings" />;
  const isRequired = settings.data.require_authenticator;
  const without = members.filter(({ two_factor: hasOne }) => !hasOne).length;
  const lacksOwn = !isRequired && !operator.two_factor;
  const set = (value: boolean) => change.mutate({ require_authenticator: value });
  return (
    <Card
      title="Sign-in"
      note="Colleagues without an authenticator have to add one when they next sign in or open a page. Until then they can do nothing else."
    >
      <div className="stack">
        <Switch
          isSelected={isRequired}
          isDisabled={reason !== null || lacksOwn || change.isPending}
          onChange={set}
        >
          Require an authenticator of all colleagues
        </Switch>
        {(reason !== null || lacksOwn) && (
          <p className="field-help">
            {reason ?? 'Add an authenticator to your own sign-in first, under Security.'}
          </p>
        )}
        {without > 0 && (
          <p className="field-help">{plural(without, 'colleague')} without an authenticator.</p>
        )}
        {change.error && !needsConfirmation(change.error) && (
          <ErrorBox error={change.error} title="Setting not saved." />
        )}
      </div>
      {needsConfirmation(change.error) && (
        <ConfirmIdentity
          act="Changing this setting"
          onConfirmed={() => set(change.variables?.require_authenticator ?? !isRequired)}
          onClose={() => change.reset()}
        />
      )}
    </Card>
  );
}
