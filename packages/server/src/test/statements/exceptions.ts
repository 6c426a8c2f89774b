/** Statements whose text the source does not determine, by file and function, with the reason. An unnecessary exception fails the test. */
export const exceptions: Record<string, string> = {
  'packages/server/src/queue/boss.ts executeSql': 'pg-boss brings its own statements',
  'packages/server/src/queue/boss.ts migrateJobs': 'it alters tables that PostgreSQL lists at run time',
  'packages/server/src/store/audit/verification.ts fetchPage':
    'FETCH is described by its cursor, which exists only while a transaction runs',
  'packages/server/src/store/audit/verification.ts readChains':
    'DECLARE takes no parameters, so the account ID is part of its text',
  'packages/server/src/store/database/database.ts transact':
    'it runs the statements that begin a transaction, which are checked where they are defined',
  'packages/server/src/store/database/migrate.ts applyInTransaction':
    'migrations are files, and every integration test runs them',
  'packages/server/src/store/database/migrate.ts applyOutside':
    'migrations are files, and an integration test runs one of this kind',
  'packages/server/src/store/raw-keys/key-store.ts createKeyStoreTables':
    'it creates the tables of a key store from a file, and the tests of the key store run it',
};
