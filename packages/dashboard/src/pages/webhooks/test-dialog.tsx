import type { EventType } from '@tributary/contract';
import { eventTypes } from '@tributary/contract/names';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { curlOf } from '../../api/client/curl.ts';
import { testWebhook } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { Select } from '../../components/controls/select.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import type { WebhookDialogProps } from './dialog-props.ts';

/** Sends a sample event and opens its delivery. */
export function TestDialog({ webhook, onClose }: WebhookDialogProps) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const subscribedTypes = eventTypes.filter(
    (type) => webhook.events.includes('*') || webhook.events.includes(type),
  );
  const [type, setType] = useState<EventType>(subscribedTypes[0] ?? 'data.updated');
  const send = useMutation({
    mutationFn: () => testWebhook(environment, webhook.id, type),
    onSuccess: async ({ data }) => {
      await queryClient.invalidateQueries({ queryKey: ['deliveries', environment, webhook.id] });
      toast('Queued for delivery');
      onClose();
      await navigate({
        to: '/$environment/webhooks/$webhookId',
        params: { environment, webhookId: webhook.id },
        search: { delivery: data.event_id },
        resetScroll: false,
      });
    },
  });
  return (
    <Modal title="Send test event" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <p className="modal-text">
          Sends a sample event that is signed and retried like a real one. Its <code>data.test</code> is true,
          and it does not appear in the feed.
        </p>
        <Select
          label="Type"
          options={subscribedTypes.map((value) => ({ value, label: value }))}
          value={type}
          onChange={setType}
        />
        <CodeBlock
          text={curlOf(
            { method: 'POST', path: `/v1/webhooks/${webhook.id}/test`, body: { event_type: type } },
            location.origin,
          )}
          label="Command"
        />
        {send.error && <ErrorBox error={send.error} title="Test event not sent." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={send.isPending}>
            Send event
          </Button>
        </div>
      </form>
    </Modal>
  );
}
