import { useQueryClient } from '@tanstack/react-query';
import { webhookHealthQuery, webhookQuery, webhooksQuery } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';

/** After a change of an endpoint: everything that shows it is read again. */
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
