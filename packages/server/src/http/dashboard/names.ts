import { nameOperations as operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { listOperatorNames } from '../../services/operators/list-operator-names.ts';
import type { App } from '../frame/app-type.ts';
import { operatorOf } from './operators.ts';

/** Returns names for the dashboard user ids in the audit log. */
export function registerNameRoutes(app: App, ctx: Context): void {
  app.get(
    '/operators/names',
    { schema: operations.listOperatorNames, config: { role: 'viewer' } },
    async (request) => {
      const names = await listOperatorNames(ctx, operatorOf(request).accountId);
      return { names: Object.fromEntries(names) };
    },
  );
}
