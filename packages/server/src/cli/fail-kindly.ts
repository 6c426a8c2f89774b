import { ApiError } from '@tributary/contract';
import { ConfigError } from '../config.ts';

/** A mistake of the operator ends with a sentence, anything else with its trace. */
export async function failKindly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    process.exit();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof ConfigError || (error instanceof ApiError && error.status < 500))
      console.error(message);
    else if (code === 'EADDRINUSE')
      console.error(
        `Another program listens there already: ${message}. Choose other ports with PORT and METRICS_PORT.`,
      );
    else if (code === 'ECONNREFUSED')
      console.error(`PostgreSQL does not answer at DATABASE_URL: ${message || code}`);
    else console.error(error);
    process.exit(1);
  }
}
