/** Statements whose text the source does not tell, by file and function, and why. One that is no longer needed fails the test. */
export const exceptions: Record<string, string> = {
  'packages/server/src/jobs/boss.ts asDatabase': 'pg-boss brings its own statements',
  'packages/server/src/jobs/boss.ts migrateJobs': 'it alters tables that PostgreSQL lists at run time',
  'packages/server/src/store/audit-verification.ts fetchPage':
    'FETCH is described by its cursor, which exists only while a transaction runs',
  'packages/server/src/store/audit-verification.ts readChains':
    'DECLARE takes no parameters, so the id of the account is part of its text',
  'packages/server/src/store/database.ts transact':
    'it runs the statements that begin a transaction, which are found where they are written',
  'packages/server/src/store/migrate.ts apply': 'migrations are files, and every integration test runs them',
};
