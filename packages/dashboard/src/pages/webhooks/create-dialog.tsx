import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Environment } from '../../api/client/client.ts';
import { curlOf } from '../../api/client/curl.ts';
import { createWebhook, webhookHealthQuery, webhooksQuery } from '../../api/webhooks.ts';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { SecretOnce } from '../../components/feedback/secret-once.tsx';
import { bodyOf, isComplete, WebhookFields, type WebhookDraft } from './webhook-fields.tsx';

const first: WebhookDraft = { url: '', events: ['*'], coalesce: '1', rate: '' };

/** Creates an endpoint and shows its secret once. */
export function CreateDialog({ environment, onClose }: { environment: Environment; onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(first);
  const create = useMutation({
    mutationFn: () => createWebhook(environment, bodyOf(draft)),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: webhooksQuery(environment).queryKey }),
        queryClient.invalidateQueries({ queryKey: webhookHealthQuery(environment).queryKey }),
      ]),
  });
  if (create.data) {
    const { id, secret } = create.data.data;
    return (
      <Modal title="Endpoint secret" isOpen requiresChoice onClose={onClose}>
        <SecretOnce
          secret={secret}
          label="Secret"
          file={{ name: '.env', text: `TRIBUTARY_WEBHOOK_SECRET=${secret}\n` }}
          onDone={() => {
            onClose();
            void navigate({
              to: '/$environment/webhooks/$webhookId',
              params: { environment, webhookId: id },
            });
          }}
        />
      </Modal>
    );
  }
  return (
    <Modal title="Add endpoint" isOpen wide onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete(draft)) create.mutate();
        }}
      >
        <WebhookFields draft={draft} onChange={setDraft} error={create.error} />
        <CodeBlock
          text={curlOf(
            {
              method: 'POST',
              path: '/v1/webhooks',
              body: { ...bodyOf(draft), url: draft.url.trim() || 'https://example.com/hooks/tributary' },
            },
            location.origin,
          )}
          label="Command"
        />
        {create.error && <ErrorBox error={create.error} title="No endpoint was added." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={!isComplete(draft)} isPending={create.isPending}>
            Add endpoint
          </Button>
        </div>
      </form>
    </Modal>
  );
}
