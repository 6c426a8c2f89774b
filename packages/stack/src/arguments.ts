import { parseArgs } from 'node:util';
import { DEFAULT_API_PORT } from './port-plan.ts';

export const HELP = `npm run stack -- [options]

Runs the whole service on this machine: PostgreSQL, NATS, Redis, a catcher
of mail, a lab that plays providers and Tributary, on 127.0.0.1 alone,
until Ctrl-C.

  --ephemeral   a temporary folder and free ports, all removed at the end
  --json        print one line of JSON when ready, everything else on standard error
  --nodes N     1 to 16; more than one starts N API processes, one ingest, one jobs
  --dir PATH    where data, keys and logs are kept (default .tributary)
  --port N      first API port (default ${DEFAULT_API_PORT}); other ports move along with it
  --help        this text

Webhooks may go to this machine, which production refuses; OUTBOUND_ALLOW= closes it.
Mail is shown and goes to nobody; SMTP_URL and MAIL_FROM name a server that delivers it.
DATABASE_URL, NATS_URL and REDIS_URL name engines to use instead of starting them,
LAB_URL a lab.
`;

// The last ports that belong to a stack lie this far above its first.
const PORT_SPAN = 205;

export interface Arguments {
  ephemeral: boolean;
  json: boolean;
  help: boolean;
  nodes: number;
  dir?: string;
  port?: number;
}

export type ParsedArguments = { ok: true; value: Arguments } | { ok: false; message: string };

/** Reads the command line; a mistake in it is an answer, not an exception. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        ephemeral: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        nodes: { type: 'string', default: '1' },
        dir: { type: 'string' },
        port: { type: 'string' },
      },
    });
    const { ephemeral, json, help, nodes, dir, port } = values;
    if (ephemeral && dir !== undefined)
      return mistake('--ephemeral makes its own folder, so --dir has no place beside it.');
    if (dir === '') return mistake('--dir needs a path.');
    const nodeCount = wholeNumber(nodes, 1, 16);
    if (nodeCount === null) return mistake(`--nodes is a number from 1 to 16, not "${nodes}".`);
    const apiPort = port === undefined ? undefined : wholeNumber(port, 1, 65_535 - PORT_SPAN);
    if (apiPort === null)
      return mistake(`--port is a number from 1 to ${65_535 - PORT_SPAN}, not "${port}".`);
    const value: Arguments = { ephemeral, json, help, nodes: nodeCount };
    if (dir !== undefined) value.dir = dir;
    if (apiPort !== undefined) value.port = apiPort;
    return { ok: true, value };
  } catch (error) {
    // The first sentence says what is wrong, the rest explains how to quote arguments.
    return mistake(
      error instanceof Error ? `${error.message.split('. ')[0]}.`.replace('..', '.') : String(error),
    );
  }
}

function mistake(message: string): ParsedArguments {
  return { ok: false, message };
}

function wholeNumber(text: string, min: number, max: number): number | null {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : null;
}
