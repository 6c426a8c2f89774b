import { queryOptions } from '@tanstack/react-query';
import type {
  ConsolidationCatalogWire,
  ConsolidationConfigurationWire,
  ConsolidationPreviewWire,
} from '@tributary/contract';
import type { Environment } from './client/client.ts';
import type { DaySpan, Whose } from './health.ts';
import { callPublic, userPath } from './client/public.ts';

/** The changes to settings, applied all or none. */
export interface ConsolidationPatch {
  /** By catalog key: the method, or null to restore the default, and whether each provider is included. */
  metrics?: Record<string, { method?: string | null; providers?: Record<string, boolean> }>;
  providers?: Record<string, boolean>;
}

const pathOf = ({ userId }: Whose) => `${userPath(userId)}/consolidation`;

export const consolidationCatalogQuery = (environment: Environment) =>
  queryOptions({
    queryKey: ['consolidation-catalog'],
    queryFn: ({ signal }) =>
      callPublic<ConsolidationCatalogWire>(environment, 'GET', '/consolidation/catalog', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const configurationQuery = (whose: Whose) =>
  queryOptions({
    queryKey: ['user', whose.environment, whose.userId, 'consolidation'],
    queryFn: ({ signal }) =>
      callPublic<ConsolidationConfigurationWire>(whose.environment, 'GET', pathOf(whose), { signal }),
  });

export const previewQuery = (whose: Whose, patch: ConsolidationPatch, { from, to }: DaySpan) =>
  queryOptions({
    queryKey: ['user', whose.environment, whose.userId, 'consolidation', 'preview', patch, from, to],
    queryFn: ({ signal }) =>
      callPublic<ConsolidationPreviewWire>(whose.environment, 'POST', `${pathOf(whose)}/preview`, {
        query: { from_date: from, to_date: to },
        body: patch,
        signal,
      }),
    placeholderData: (before) => before,
  });

export interface ConfigurationChange {
  status: 'reconsolidating' | 'unchanged';
  configuration: ConsolidationConfigurationWire;
}

export const saveConfiguration = (whose: Whose, body: ConsolidationPatch) =>
  callPublic<ConfigurationChange>(whose.environment, 'PATCH', pathOf(whose), { body });
