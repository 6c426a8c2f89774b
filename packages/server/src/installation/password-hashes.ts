import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

/** The default of PostgreSQL. A password with 256 random bits needs no more. */
const iterations = 4_096;

/** What PostgreSQL stores of a password: `CREATE ROLE … PASSWORD` takes it instead of the password. */
export function hashForPostgres(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  const serverKey = sign('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/** What an access control list of Redis or Valkey contains of a password. */
export function hashForRedis(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}
