import { ApiError } from '@tributary/contract';
import { ConfigError } from '../config.ts';
import { describeFailure } from '../settings/connection-failure.ts';
import { BoundaryError } from '../store/database/boundary.ts';

/** Codes of PostgreSQL: no such user or no permission to connect, and wrong password. */
const wrongLogin = new Set(['28000', '28P01']);

function isOfCertificate(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isOfConnection = 'code' in error || error.message.startsWith('The server does not support SSL');
  return isOfConnection && describeFailure(error).kind === 'certificate rejected';
}

/** Prints operator errors as a sentence and any other error with its stack trace. */
export async function runAction(work: () => Promise<void>): Promise<void> {
  process.stdout.on('error', exitWhenUnread);
  try {
    await work();
    await flush(process.stdout);
    process.exit();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isExplained = error instanceof ConfigError || error instanceof BoundaryError;
    if (isExplained || (error instanceof ApiError && error.status < 500)) console.error(message);
    else if (code === 'EADDRINUSE')
      console.error(`Port already in use: ${message}. Set PORT and METRICS_PORT to other ports.`);
    else if (code === 'ECONNREFUSED')
      console.error(`Cannot connect to PostgreSQL at DATABASE_URL: ${message || code}`);
    else if (wrongLogin.has(code ?? ''))
      console.error(
        `PostgreSQL rejected the user or the password: ${message}. Check the DATABASE_… settings.`,
      );
    else if (isOfCertificate(error))
      console.error(`Cannot establish TLS with PostgreSQL: ${message}. Check DATABASE_CA_FILE.`);
    else console.error(error);
    await Promise.all([flush(process.stdout), flush(process.stderr)]);
    process.exit(1);
  } finally {
    process.stdout.off('error', exitWhenUnread);
  }
}

/** A reader such as `head` may close the pipe early. That ends the command, and is not an error. */
function exitWhenUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

/** Waits until all output is written. A pipe with a slow reader takes it in parts, and exiting drops the rest. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
