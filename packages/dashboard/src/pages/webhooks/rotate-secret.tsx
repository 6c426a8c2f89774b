import { useMutation } from '@tanstack/react-query';
import { curlOf } from '../../api/client/curl.ts';
import { rotateSecret } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox, Notice } from '../../components/feedback/feedback.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { SecretOnce } from '../../components/feedback/secret-once.tsx';
import { dayAndTime } from '../../words/time.ts';
import type { WebhookDialogProps } from './dialog-props.ts';

/** Creates a new secret, shows it once, and shows how long the previous one also signs. */
export function RotateSecret({ webhook, onClose }: WebhookDialogProps) {
  const environment = useEnvironment();
  const rotate = useMutation({ mutationFn: () => rotateSecret(environment, webhook.id) });
  if (rotate.data) {
    const { secret, previous_secret_valid_until: until } = rotate.data.data;
    return (
      <Modal title="New secret" isOpen requiresChoice onClose={onClose}>
        <Notice tone="info">The previous secret also signs until {dayAndTime(until)}.</Notice>
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
    <Modal title="Rotate secret" isOpen onClose={onClose}>
      <p className="modal-text">
        For 24 hours, every delivery is signed with both secrets, so you can switch your receivers one by one.
        If you rotate again within that time, the newest two remain.
      </p>
      <CodeBlock
        text={curlOf({ method: 'POST', path: `/v1/webhooks/${webhook.id}/rotate-secret` }, location.origin)}
        label="Command"
      />
      {rotate.error && <ErrorBox error={rotate.error} title="Secret not rotated." />}
      <div className="modal-foot">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" autoFocus isPending={rotate.isPending} onPress={() => rotate.mutate()}>
          Rotate secret
        </Button>
      </div>
    </Modal>
  );
}
