import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { curlOf } from '../../api/client/curl.ts';
import { deleteWebhook, webhooksQuery } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { ConfirmByName, Modal } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import type { WebhookDialogProps } from './dialog-props.ts';

/** In live, the host must be typed to make sure it is read. */
export function RemoveWebhook({ webhook, onClose }: WebhookDialogProps) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteWebhook(environment, webhook.id),
    onSuccess: async () => {
      toast('Endpoint removed');
      await navigate({ to: '/$environment/webhooks', params: { environment } });
      await queryClient.invalidateQueries({ queryKey: webhooksQuery(environment).queryKey });
    },
  });
  const text = (
    <div className="stack">
      <p className="modal-text">
        Pending deliveries are never sent. The secret is deleted immediately and the delivery log soon after.
        The feed keeps every event.
      </p>
      <CodeBlock
        text={curlOf({ method: 'DELETE', path: `/v1/webhooks/${webhook.id}` }, location.origin)}
        label="Command"
      />
      {remove.error && <ErrorBox error={remove.error} title="Endpoint not removed." />}
    </div>
  );
  if (environment === 'live')
    return (
      <ConfirmByName
        title="Remove endpoint"
        name={new URL(webhook.url).host}
        action="Remove endpoint"
        isOpen
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={onClose}
      >
        {text}
      </ConfirmByName>
    );
  return (
    <Modal title="Remove endpoint" isOpen onClose={onClose}>
      {text}
      <div className="modal-foot">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="danger" autoFocus isPending={remove.isPending} onPress={() => remove.mutate()}>
          Remove endpoint
        </Button>
      </div>
    </Modal>
  );
}
