/** Entry point for proofs and benchmarks: connections and tenants. The service does not import this. */
export { type ActingForAccount, actingByItself } from '../store/audit/actor.ts';
export { type Queryable, inTransaction, openPool } from '../store/database/database.ts';
export { migrate } from '../store/database/migrate.ts';
export type { Tenant } from '../store/database/tenant.ts';
export { testActor } from '../test/acting.ts';
