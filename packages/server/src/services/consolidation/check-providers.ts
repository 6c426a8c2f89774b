import { ApiError } from '@tributary/contract';
import { providersNamedIn, type SettingsPatch } from '@tributary/domain';

/** Refuses a change that names a provider which the user does not have; throws `invalid_provider` with all that offend. */
export function checkProviders(patch: SettingsPatch, connected: readonly string[]): void {
  const providers = providersNamedIn(patch).filter((provider) => !connected.includes(provider));
  if (providers.length > 0) throw new ApiError('invalid_provider', { details: { providers, connected } });
}
