import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { curlOf } from '../../api/client/curl.ts';
import { recoverWebhook } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { number } from '../../words/time.ts';
import { useWebhookChanged } from './use-webhook-changed.ts';
import type { WebhookDialogProps } from './dialog-props.ts';

/** Queues the events an endpoint missed since a time. */
export function RecoverDialog({ webhook, onClose }: WebhookDialogProps) {
  const environment = useEnvironment();
  const changed = useWebhookChanged(webhook.id);
  const [from, setFrom] = useState(() => localText(new Date(Date.now() - 86_400_000)));
  const since = Number.isNaN(Date.parse(from)) ? null : new Date(from).toISOString();
  const recover = useMutation({
    mutationFn: () => recoverWebhook(environment, webhook.id, since!),
    onSuccess: async (queued) => {
      await changed();
      toast(describeQueued(queued));
      onClose();
    },
  });
  return (
    <Modal title="Recover missed events" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (since !== null) recover.mutate();
        }}
      >
        <p className="modal-text">
          Queues every event since this time that the endpoint subscribes to and has not acknowledged.
          Delivered, pending and merged events are left unchanged.
        </p>
        <Field
          label="From (your time zone)"
          type="datetime-local"
          value={from}
          onChange={setFrom}
          autoFocus
        />
        <CodeBlock
          text={curlOf(
            { method: 'POST', path: `/v1/webhooks/${webhook.id}/recover`, body: { since: since ?? '…' } },
            location.origin,
          )}
          label="Command"
        />
        {recover.error && <ErrorBox error={recover.error} title="Not everything was queued." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={since === null} isPending={recover.isPending}>
            Recover events
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** Formats a time for the browser's field: local time, to the minute. */
function localText(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

function describeQueued(count: number): string {
  if (count === 0) return 'Nothing was missed';
  return count === 1 ? '1 delivery queued' : `${number(count)} deliveries queued`;
}
