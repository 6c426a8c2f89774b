import type { ConsolidationConfigurationWire } from '@tributary/contract';
import type { ConsolidationPatch } from '../../../api/consolidation.ts';

/** Unsaved changes. Unchanged settings are not included. */
export interface Draft {
  methods: Readonly<Record<string, string>>;
  providers: Readonly<Record<string, boolean>>;
  /** By key and then provider. */
  switches: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
}

export const noDraft: Draft = { methods: {}, providers: {}, switches: {} };

export function isEmpty({ methods, providers, switches }: Draft): boolean {
  return [methods, providers, switches].every((one) => Object.keys(one).length === 0);
}

export function withMethod(
  draft: Draft,
  stored: ConsolidationConfigurationWire,
  key: string,
  method: string,
): Draft {
  const before = stored.metrics.find((one) => one.key === key)?.method;
  return { ...draft, methods: changed(draft.methods, key, method, before) };
}

export function withProvider(
  draft: Draft,
  stored: ConsolidationConfigurationWire,
  provider: string,
  enabled: boolean,
): Draft {
  const before = stored.providers.find((one) => one.provider === provider)?.enabled;
  return { ...draft, providers: changed(draft.providers, provider, enabled, before) };
}

export function withSwitch(
  draft: Draft,
  stored: ConsolidationConfigurationWire,
  { key, provider }: { key: string; provider: string },
  enabled: boolean,
): Draft {
  const before = isOn(stored, key, provider);
  const own = changed(draft.switches[key] ?? {}, provider, enabled, before);
  const { [key]: _old, ...others } = draft.switches;
  return { ...draft, switches: Object.keys(own).length === 0 ? others : { ...others, [key]: own } };
}

export function isOn(stored: ConsolidationConfigurationWire, key: string, provider: string): boolean {
  const metric = stored.metrics.find((one) => one.key === key);
  return metric?.providers.find((one) => one.provider === provider)?.enabled ?? true;
}

function changed<Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
  value: Value,
  before: Value | undefined,
): Record<string, Value> {
  const { [key]: _old, ...others } = record;
  return value === before ? others : { ...others, [key]: value };
}

/** Returns the API patch. Choosing the catalog's method restores the default instead of setting it. */
export function patchOf(
  { methods, providers, switches }: Draft,
  stored: ConsolidationConfigurationWire,
): ConsolidationPatch {
  const keys = [...new Set([...Object.keys(methods), ...Object.keys(switches)])].sort();
  const metrics = Object.fromEntries(
    keys.map((key) => {
      const { [key]: method } = methods;
      const isDefault = stored.metrics.find((one) => one.key === key)?.default_method === method;
      return [
        key,
        {
          ...(method !== undefined && { method: isDefault ? null : method }),
          ...(switches[key] && { providers: switches[key] }),
        },
      ];
    }),
  );
  return {
    ...(keys.length > 0 && { metrics }),
    ...(Object.keys(providers).length > 0 && { providers }),
  };
}
