import { ApiError } from '@tributary/contract';
import { didYouMean, providersNamedIn, type SettingsPatch } from '@tributary/domain';

/** Rejects a change that names a provider the user does not have. Throws `invalid_provider` with all offending providers. */
export function checkProviders(patch: SettingsPatch, connected: readonly string[]): void {
  const providers = providersNamedIn(patch).filter((provider) => !connected.includes(provider));
  const [first, ...others] = providers;
  if (first === undefined) return;
  const suggestion = others.length === 0 ? didYouMean(first, connected) : '';
  throw new ApiError('invalid_provider', {
    ...(suggestion !== '' && {
      message: `The provider \`${first}\` is not connected to this user.${suggestion}`,
    }),
    details: { providers, connected },
  });
}
