import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { curlOf } from '../../api/curl.ts';
import { updateWebhook } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { Modal } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';
import { useWebhookChanged } from './use-webhook-changed.ts';
import type { WebhookDialogProps } from './webhook-dialogs.tsx';
import { bodyOf, isComplete, WebhookFields, type WebhookDraft } from './webhook-fields.tsx';

export function ChangeDialog({ webhook, onClose }: WebhookDialogProps) {
  const environment = useEnvironment();
  const changed = useWebhookChanged(webhook.id);
  const [draft, setDraft] = useState<WebhookDraft>({
    url: webhook.url,
    events: webhook.events,
    coalesce: String(webhook.coalesce_seconds),
    rate: webhook.rate_limit === null ? '' : String(webhook.rate_limit),
  });
  const update = useMutation({
    mutationFn: () => updateWebhook(environment, webhook.id, bodyOf(draft)),
    onSuccess: async () => {
      await changed();
      toast('Endpoint changed');
      onClose();
    },
  });
  return (
    <Modal title="Change the endpoint" isOpen wide onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete(draft)) update.mutate();
        }}
      >
        <WebhookFields draft={draft} onChange={setDraft} error={update.error} />
        <CodeBlock
          text={curlOf(
            { method: 'PATCH', path: `/v1/webhooks/${webhook.id}`, body: bodyOf(draft) },
            location.origin,
          )}
          label="Command"
        />
        {update.error && <ErrorBox error={update.error} title="The endpoint is as it was." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={!isComplete(draft)} isPending={update.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Modal>
  );
}
