import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { curlOf } from '../../api/curl.ts';
import { deleteWebhook, webhooksQuery } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { ConfirmByName, Modal } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';
import type { WebhookDialogProps } from './webhook-dialogs.tsx';

/** In live the host is typed, so that it is read. */
export function RemoveWebhook({ webhook, onClose }: WebhookDialogProps) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteWebhook(environment, webhook.id),
    onSuccess: async () => {
      toast('The endpoint is gone');
      await navigate({ to: '/$environment/webhooks', params: { environment } });
      await queryClient.invalidateQueries({ queryKey: webhooksQuery(environment).queryKey });
    },
  });
  const text = (
    <div className="stack">
      <p className="modal-text">
        What waits is never sent. Its secret is gone at once, its deliveries soon after. The feed keeps every
        event.
      </p>
      <CodeBlock
        text={curlOf({ method: 'DELETE', path: `/v1/webhooks/${webhook.id}` }, location.origin)}
        label="Command"
      />
      {remove.error && <ErrorBox error={remove.error} title="The endpoint is still there." />}
    </div>
  );
  if (environment === 'live')
    return (
      <ConfirmByName
        title="Remove the endpoint"
        name={new URL(webhook.url).host}
        action="Remove"
        isOpen
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={onClose}
      >
        {text}
      </ConfirmByName>
    );
  return (
    <Modal title="Remove the endpoint" isOpen onClose={onClose}>
      {text}
      <div className="modal-foot">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="danger" autoFocus isPending={remove.isPending} onPress={() => remove.mutate()}>
          Remove
        </Button>
      </div>
    </Modal>
  );
}
