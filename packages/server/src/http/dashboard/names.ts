import { nameOperations as operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { listOperators } from '../../store/operators.ts';
import type { App } from '../app.ts';
import { operatorOf } from './operators.ts';

/** Names for the ids that the audit log has of colleagues. */
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
