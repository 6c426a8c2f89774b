import { ApiError } from '@tributary/contract';
import { forbiddenMethodsOf, unknownKeysOf, type SettingsPatch } from '@tributary/domain';

/** Refuses a change that the catalog does not allow; throws `invalid_metric`, then `invalid_method`, each with all that offend. */
export function checkCatalog(patch: SettingsPatch): void {
  const unknown = unknownKeysOf(patch);
  if (unknown.length > 0) {
    const [first, ...others] = unknown;
    throw new ApiError('invalid_metric', {
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
