import { nameOperations as operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { listOperators } from '../../store/accounts/operators.ts';
import type { App } from '../frame/app-type.ts';
import { operatorOf } from './operators.ts';

/** Returns names for the dashboard user ids in the audit log. */
export function registerNameRoutes(app: App, ctx: Context): void {
  app.get(
    '/operators/names',
    { schema: operations.listOperatorNames, config: { role: 'viewer' } },
    async (request) => {
      const team = await listOperators(ctx.operator, operatorOf(request).accountId);
      return { names: Object.fromEntries(team.map(({ id, name }) => [formatId('op', id), name])) };
    },
  );
}
