import type { Context } from '../../context.ts';
import { revokeApiKey as revoke, type ApiKey } from '../../store/api-keys.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

/** Ends a key on every node within a second; null when there is none with this id. */
export async function revokeApiKey(
  ctx: Pick<Context, 'operator' | 'broker'>,
  id: string,
): Promise<ApiKey | null> {
  const key = await revoke(ctx.operator, id);
  announceCredentialChange(ctx);
  return key;
}
