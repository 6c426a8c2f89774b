import {
  operations,
  type ConsolidationConfigurationWire,
  type ConsolidationPreviewWire,
} from '@tributary/contract';
import { formatDay, type EffectiveSettings, type ProviderSwitch } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { SettingsChange } from '../../services/consolidation/change-consolidation.ts';
import { checkCatalog } from '../../services/consolidation/check-catalog.ts';
import { getConsolidation } from '../../services/consolidation/get-consolidation.ts';
import { previewConsolidation, type Preview } from '../../services/consolidation/preview-consolidation.ts';
import { resetConsolidation } from '../../services/consolidation/reset-consolidation.ts';
import { updateConsolidation } from '../../services/consolidation/update-consolidation.ts';
import type { App } from '../frame/app-type.ts';
import { actingOf, callerOf } from '../frame/auth.ts';
import { readDays, resolveDays } from '../parameters/date-range.ts';
import { userIdOf } from '../parameters/user-id.ts';

const path = '/v1/users/:id/consolidation';
const longestPreviewDays = 366;
/** Consolidation has its own error code for a body that is not JSON or has the wrong shape. */
const bodyErrors = { bodyErrorCode: 'invalid_body' } as const;

export function registerConsolidationRoutes(app: App, ctx: Context): void {
  app.get(path, { schema: operations.getConsolidation }, async (request) => {
    const userId = userIdOf(request.params.id, 'user_not_found');
    return toConfigurationWire(await getConsolidation(ctx, callerOf(request).tenant, userId));
  });

  app.patch(path, { schema: operations.updateConsolidation, config: bodyErrors }, async (request, reply) => {
    checkCatalog(request.body);
    const userId = userIdOf(request.params.id, 'user_not_found');
    const change = await updateConsolidation(ctx, actingOf(request), userId, request.body);
    return reply.code(202).send(toChangeWire(change));
  });

  app.delete(path, { schema: operations.resetConsolidation }, async (request, reply) => {
    const userId = userIdOf(request.params.id, 'user_not_found');
    const change = await resetConsolidation(ctx, actingOf(request), userId);
    return reply.code(202).send(toChangeWire(change));
  });

  app.post(
    `${path}/preview`,
    { schema: operations.previewConsolidation, config: bodyErrors },
    async (request) => {
      const requestedDays = readDays(request.query, 2, longestPreviewDays);
      checkCatalog(request.body);
      const userId = userIdOf(request.params.id, 'user_not_found');
      const preview = await previewConsolidation(ctx, callerOf(request).tenant, userId, {
        patch: request.body,
        daysFor: (user) => (request.readDays = resolveDays(requestedDays, user, ctx.clock.now())),
      });
      return toPreviewWire(preview);
    },
  );
}

function toChangeWire({ isRebuilding, configuration }: SettingsChange) {
  const status = isRebuilding ? ('reconsolidating' as const) : ('unchanged' as const);
  return { status, configuration: toConfigurationWire(configuration) };
}

function toConfigurationWire({ providers, metrics }: EffectiveSettings): ConsolidationConfigurationWire {
  return {
    providers: providers.map(toSwitchWire),
    metrics: metrics.map((one) => ({
      key: one.key,
      category: one.category,
      default_method: one.defaultMethod,
      method: one.method,
      overridden: one.overridden,
      providers: one.providers.map(toSwitchWire),
    })),
  };
}

function toSwitchWire({ provider, enabled }: ProviderSwitch): ProviderSwitch {
  return { provider, enabled };
}

type Value = Preview['metrics'][number]['changes'][number]['before'];

function toPreviewWire({ from, to, metrics, sleep }: Preview): ConsolidationPreviewWire {
  return {
    from_date: formatDay(from),
    to_date: formatDay(to),
    changed: metrics.length > 0 || sleep.daysChanged > 0,
    metrics: metrics.map(({ metric, daysChanged, changes }) => ({
      metric: metric.id,
      unit: metric.unit,
      days_changed: daysChanged,
      changes: changes.map(({ day, before, after }) => ({
        date: formatDay(day),
        before: before?.value ?? null,
        after: after?.value ?? null,
        source_before: toSourceWire(before),
        source_after: toSourceWire(after),
      })),
    })),
    sleep: {
      days_changed: sleep.daysChanged,
      changes: sleep.changes.map(({ day, before, after }) => ({
        date: formatDay(day),
        before: before.map(toSleepId),
        after: after.map(toSleepId),
      })),
    },
  };
}

function toSourceWire(value: Value): { provider: string; device_id: string } | null {
  if (!value?.device) return null;
  return { provider: value.device.provider, device_id: formatId('dev', value.device.id) };
}

function toSleepId(id: string): string {
  return formatId('slp', id);
}
