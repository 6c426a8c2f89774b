/** Entry point for proofs and benchmarks: connections and tenants. The service does not import this. */
export { type ActingForAccount, actingByItself } from '../store/acting.ts';
export { type Queryable, inTransaction, openPool } from '../store/database.ts';
export { migrate } from '../store/migrate.ts';
export type { Tenant } from '../store/tenant.ts';
export { testActor } from '../test/acting.ts';
