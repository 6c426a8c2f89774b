import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateWebhook } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { curlOf } from '../../api/client/curl.ts';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import { RemoveWebhook } from './remove-webhook.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { TestDialog } from './test-dialog.tsx';
import { useWebhookChanged } from './use-webhook-changed.ts';
import type { WebhookAct, WebhookDialogProps } from './dialog-props.ts';

export function WebhookDialogs({ act, ...rest }: WebhookDialogProps & { act: WebhookAct }) {
  if (act === 'test') return <TestDialog {...rest} />;
  if (act === 'pause') return <PauseDialog {...rest} />;
  if (act === 'change') return <ChangeDialog {...rest} />;
  if (act === 'rotate') return <RotateSecret {...rest} />;
  if (act === 'recover') return <RecoverDialog {...rest} />;
  return <RemoveWebhook {...rest} />;
}

/** Pauses or resumes an endpoint. */
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
      toast(pauses ? 'Endpoint paused' : 'Endpoint activated');
      onClose();
    },
  });
  return (
    <Modal title={pauses ? 'Pause endpoint' : 'Activate endpoint'} isOpen onClose={onClose}>
      <p className="modal-text">
        {pauses
          ? 'Pending deliveries are held, and new events create no deliveries. Nothing is lost: the feed keeps every event, and you can recover missed events later.'
          : 'Held deliveries are sent now. Events in the meantime created no deliveries. To send them, recover events from the time deliveries stopped.'}
      </p>
      <CodeBlock
        text={curlOf(
          { method: 'PATCH', path: `/v1/webhooks/${webhook.id}`, body: { status } },
          location.origin,
        )}
        label="Command"
      />
      {update.error && <ErrorBox error={update.error} title="Endpoint not updated." />}
      <div className="modal-foot">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" autoFocus isPending={update.isPending} onPress={() => update.mutate()}>
          {pauses ? 'Pause' : 'Activate'}
        </Button>
      </div>
    </Modal>
  );
}
