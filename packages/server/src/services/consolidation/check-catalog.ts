import { ApiError } from '@tributary/contract';
import {
  consolidationKeys,
  didYouMean,
  forbiddenMethodsOf,
  unknownKeysOf,
  type SettingsPatch,
} from '@tributary/domain';

/** Rejects a change that the catalog does not allow. Throws `invalid_metric`, then `invalid_method`, each with all offending entries. */
export function checkCatalog(patch: SettingsPatch): void {
  const unknown = unknownKeysOf(patch);
  if (unknown.length > 0) {
    const [first, ...others] = unknown;
    const suggestion = others.length === 0 ? didYouMean(first!.key, consolidationKeys) : '';
    throw new ApiError('invalid_metric', {
      ...(suggestion !== '' &&
        first!.group === null && { message: `Unknown metric \`${first!.key}\`.${suggestion}` }),
      details: {
        metrics: unknown.map(({ key, group }) => ({ key, ...(group === null ? {} : { group }) })),
        ...(others.length === 0 && first!.group !== null ? { group: first!.group } : {}),
      },
    });
  }
  const forbidden = forbiddenMethodsOf(patch);
  if (forbidden.length > 0) {
    throw new ApiError('invalid_method', {
      details: {
        metrics: forbidden.map(({ key, method, allowedMethods }) => ({
          key,
          method,
          allowed_methods: allowedMethods,
        })),
      },
    });
  }
}
