/** Entry point for benchmarks: the service behind PgBouncer. The service does not import this. */
export { arrangePooler } from '../test/apps/test-logins.ts';
