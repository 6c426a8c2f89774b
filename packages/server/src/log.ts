import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';
import { createLogDestination } from './log-destination.ts';

/** Structured logs on standard error. Sensitive fields are redacted here, whatever a caller passes. */
export function createLog(
  config: { log: Pick<Config['log'], 'level'> } & Pick<Config, 'nodeName'>,
  role: string,
  destination: DestinationStream = createLogDestination(),
): Logger {
  return pino(
    {
      level: config.log.level,
      base: { node: config.nodeName, role },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      redact: {
        paths: [
          'req',
          'res',
          'headers',
          '*.headers',
          'authorization',
          '*.authorization',
          'token',
          '*.token',
          'secret',
          '*.secret',
          'body',
          '*.body',
          // Drivers attach these to their errors: parameters and rows of statements may contain measured values.
          'err.detail',
          'err.where',
          'err.config',
          'err.parameters',
        ],
        remove: true,
      },
    },
    destination,
  );
}

/** PostgreSQL's data exceptions quote the value they rejected. The value must stay out of the log. */
function describeError(error: Error & { severity?: string; code?: string }): object {
  const described = pino.stdSerializers.err(error);
  const quotesValue = error.severity !== undefined && error.code?.startsWith('22');
  if (!quotesValue) return described;
  const message = `data exception ${error.code}, value withheld`;
  return { ...described, message, stack: described.stack.replace(error.message, message) };
}
