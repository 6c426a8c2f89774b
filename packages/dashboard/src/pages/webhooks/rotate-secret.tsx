import { useMutation } from '@tanstack/react-query';
import { curlOf } from '../../api/curl.ts';
import { rotateSecret } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code.tsx';
import { ErrorBox, Notice } from '../../components/feedback.tsx';
import { Modal } from '../../components/modal.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { dayAndTime } from '../../words/time.ts';
import type { WebhookDialogProps } from './webhook-dialogs.tsx';

/** A new secret, shown once, and until when the one before signs as well. */
export function RotateSecret({ webhook, onClose }: WebhookDialogProps) {
  const environment = useEnvironment();
  const rotate = useMutation({ mutationFn: () => rotateSecret(environment, webhook.id) });
  if (rotate.data) {
    const { secret, previous_secret_valid_until: until } = rotate.data.data;
    return (
      <Modal title="The new secret" isOpen mustAnswer onClose={onClose}>
        <Notice tone="info">The one before signs as well until {dayAndTime(until)}.</Notice>
        <SecretOnce
          secret={secret}
          label="Secret"
          file={{ name: '.env', text: `TRIBUTARY_WEBHOOK_SECRET=${secret}\n` }}
          onDone={onClose}
        />
      </Modal>
    );
  }
  return (
    <Modal title="Rotate the secret" isOpen onClose={onClose}>
      <p className="modal-text">
        For 24 hours every delivery carries a signature of either secret, so your receivers can change over
        one by one. Rotating again within that time keeps the newest two.
      </p>
      <CodeBlock
        text={curlOf({ method: 'POST', path: `/v1/webhooks/${webhook.id}/rotate-secret` }, location.origin)}
        label="Command"
      />
      {rotate.error && <ErrorBox error={rotate.error} title="The secret is as it was." />}
      <div className="modal-foot">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" autoFocus isPending={rotate.isPending} onPress={() => rotate.mutate()}>
          Rotate
        </Button>
      </div>
    </Modal>
  );
}
