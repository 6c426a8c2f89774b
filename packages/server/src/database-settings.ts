/** How the service uses the database. */
export interface DatabaseSettings {
  poolSize: number;
  statementTimeoutMs: number;
  migrateOnStart: boolean;
  /** False behind a pooler that cannot route prepared statements. */
  preparedStatements: boolean;
}

/** Logins for the roles of the service, and for connections that no pooler may share. By default all are the same login. */
export interface DatabaseUrls {
  databaseUrl: string;
  databaseOperatorUrl: string;
  databaseSignInUrl: string;
  /** For work under session locks. */
  databaseDirectUrl: string;
  /** For migrations. */
  databaseOwnerUrl: string;
  /** A separate database with the keys of raw payloads. Absent: they are in the main database. */
  keyStoreUrl: string | undefined;
}

/** Reads the URLs from the environment. */
export function readDatabaseUrls(env: {
  required: (name: string) => string;
  text: (name: string, fallback: string) => string;
  optional: (name: string) => string | undefined;
}): DatabaseUrls {
  const databaseUrl = env.required('DATABASE_URL');
  const databaseOperatorUrl = env.text('DATABASE_OPERATOR_URL', databaseUrl);
  return {
    databaseUrl,
    databaseOperatorUrl,
    databaseSignInUrl: env.text('DATABASE_SIGN_IN_URL', databaseUrl),
    databaseDirectUrl: env.text('DATABASE_DIRECT_URL', databaseOperatorUrl),
    databaseOwnerUrl: env.text('DATABASE_OWNER_URL', env.text('DATABASE_DIRECT_URL', databaseUrl)),
    keyStoreUrl: env.optional('KEY_STORE_URL'),
  };
}
