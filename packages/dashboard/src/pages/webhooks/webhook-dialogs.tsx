import type { WebhookWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateWebhook } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code.tsx';
import { curlOf } from '../../api/curl.ts';
import { ErrorBox } from '../../components/feedback.tsx';
import { Modal } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import { RemoveWebhook } from './remove-webhook.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { TestDialog } from './test-dialog.tsx';
import { useWebhookChanged } from './use-webhook-changed.ts';

/** What can be done with an endpoint. */
export type WebhookAct = 'test' | 'pause' | 'change' | 'rotate' | 'recover' | 'remove';

export interface WebhookDialogProps {
  webhook: WebhookWire;
  onClose: () => void;
}

export function WebhookDialogs({ act, ...rest }: WebhookDialogProps & { act: WebhookAct }) {
  if (act === 'test') return <TestDialog {...rest} />;
  if (act === 'pause') return <PauseDialog {...rest} />;
  if (act === 'change') return <ChangeDialog {...rest} />;
  if (act === 'rotate') return <RotateSecret {...rest} />;
  if (act === 'recover') return <RecoverDialog {...rest} />;
  return <RemoveWebhook {...rest} />;
}

/** Pauses, or goes on. */
function PauseDialog({ webhook, onClose }: WebhookDialogProps) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const changed = useWebhookChanged(webhook.id);
  const pauses = webhook.status === 'active';
  const status = pauses ? 'inactive' : 'active';
  const update = useMutation({
    mutationFn: () => updateWebhook(environment, webhook.id, { status }),
    onSuccess: async () => {
      await changed();
      void queryClient.invalidateQueries({ queryKey: ['deliveries', environment, webhook.id] });
      toast(pauses ? 'Paused' : 'Active again');
      onClose();
    },
  });
  return (
    <Modal title={pauses ? 'Pause the endpoint' : 'Activate the endpoint'} isOpen onClose={onClose}>
      <p className="modal-text">
        {pauses
          ? 'What waits is held, and new events make no delivery. Nothing is lost: the feed keeps every event, and what was missed can be recovered.'
          : 'What was held is sent now. What happened meanwhile made no delivery: recover it from the time it stopped.'}
      </p>
      <CodeBlock
        text={curlOf(
          { method: 'PATCH', path: `/v1/webhooks/${webhook.id}`, body: { status } },
          location.origin,
        )}
        label="Command"
      />
      {update.error && <ErrorBox error={update.error} title="The endpoint is as it was." />}
      <div className="modal-foot">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" autoFocus isPending={update.isPending} onPress={() => update.mutate()}>
          {pauses ? 'Pause' : 'Activate'}
        </Button>
      </div>
    </Modal>
  );
}
