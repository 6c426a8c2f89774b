import type { WebhookWire } from '@tributary/contract';

/** Actions on an endpoint. */
export type WebhookAct = 'test' | 'pause' | 'change' | 'rotate' | 'recover' | 'remove';

export interface WebhookDialogProps {
  webhook: WebhookWire;
  onClose: () => void;
}
