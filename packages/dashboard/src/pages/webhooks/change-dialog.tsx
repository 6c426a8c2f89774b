import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { curlOf } from '../../api/client/curl.ts';
import { updateWebhook } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { useWebhookChanged } from './use-webhook-changed.ts';
import type { WebhookDialogProps } from './dialog-props.ts';
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
      toast('Endpoint updated');
      onClose();
    },
  });
  return (
    <Modal title="Edit endpoint" isOpen wide onClose={onClose}>
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
        {update.error && <ErrorBox error={update.error} title="Endpoint not updated." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={!isComplete(draft)} isPending={update.isPending}>
            Save changes
          </Button>
        </div>
      </form>
    </Modal>
  );
}
