import { parseArgs } from 'node:util';
import { DEFAULT_API_PORT } from '../ports/port-plan.ts';

export const HELP = `npm run stack -- [options]

Runs the whole service on this machine, on 127.0.0.1 only: PostgreSQL, NATS,
Redis, a local inbox, a lab that simulates providers, and Tributary. Press
Ctrl-C to stop it.

  --ephemeral   use a temporary folder and free ports, and delete everything on exit
  --json        print one line of JSON when ready; all other output goes to standard error
  --nodes N     1 to 16; with more than one, start N API processes, one ingest and one jobs
  --dir PATH    folder for data, keys and logs (default .tributary)
  --port N      first API port (default ${DEFAULT_API_PORT}); the other ports shift with it
  --help        show this help

Webhooks can reach this machine, unlike in production; OUTBOUND_ALLOW= disables that.
Email goes to the local inbox; to deliver it, set SMTP_URL and MAIL_FROM.
To use engines that are already running, set DATABASE_URL, NATS_URL and REDIS_URL;
for a running lab, set LAB_URL.
`;

// The distance from the first port of a stack to its last.
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

/** Parses the command line. Returns an error message instead of throwing. */
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
    if (ephemeral && dir !== undefined) return mistake('--ephemeral uses a temporary folder. Remove --dir.');
    if (dir === '') return mistake('--dir needs a path.');
    const nodeCount = wholeNumber(nodes, 1, 16);
    if (nodeCount === null) return mistake(`--nodes must be a number from 1 to 16, not "${nodes}".`);
    const apiPort = port === undefined ? undefined : wholeNumber(port, 1, 65_535 - PORT_SPAN);
    if (apiPort === null)
      return mistake(`--port must be a number from 1 to ${65_535 - PORT_SPAN}, not "${port}".`);
    const value: Arguments = { ephemeral, json, help, nodes: nodeCount };
    if (dir !== undefined) value.dir = dir;
    if (apiPort !== undefined) value.port = apiPort;
    return { ok: true, value };
  } catch (error) {
    // The first sentence states the error, and the rest explains how to quote arguments.
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
