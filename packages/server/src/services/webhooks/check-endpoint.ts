import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { checkUrl } from '../../outbound/check-url.ts';

/** Normalizes the URL of an endpoint. Throws `invalid_url` if sending to it is not allowed. */
export function checkEndpoint({ config }: Pick<Context, 'config'>, text: string): string {
  const checked = checkUrl(text, config.outbound.allow);
  if (checked.ok) return checked.url.href;
  const { problem } = checked;
  throw new ApiError('invalid_url', {
    message: problem,
    details: { fields: [{ in: 'body', name: 'url', problem }] },
  });
}
