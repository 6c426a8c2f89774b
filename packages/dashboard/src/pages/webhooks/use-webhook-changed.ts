import { useQueryClient } from '@tanstack/react-query';
import { webhookHealthQuery, webhookQuery, webhooksQuery } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';

/** Reloads everything that shows an endpoint after it changed. */
export function useWebhookChanged(id: string): () => Promise<unknown> {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: webhookQuery(environment, id).queryKey }),
      queryClient.invalidateQueries({ queryKey: webhooksQuery(environment).queryKey }),
      queryClient.invalidateQueries({ queryKey: webhookHealthQuery(environment).queryKey }),
    ]);
}
