import { parseArgs } from 'node:util';

const DEFAULT_PORT = 8090;

export const HELP = `npm run lab -- [options]

Simulates the cloud APIs of wearable providers on this machine, with simulated users.

  --port <number>  port to listen on, at 127.0.0.1 (default ${DEFAULT_PORT}; 0 picks a free port)
  --json           print all URLs and credentials as one line of JSON
  --help           show this help
`;

interface Arguments {
  port: number;
  json: boolean;
  help: boolean;
}

export type ParsedArguments = { ok: true; value: Arguments } | { ok: false; message: string };

/** Parses the command line. */
export function parseArguments(args: string[]): ParsedArguments {
  try {
    const { values } = parseArgs({
      args,
      options: { port: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    });
    const port = Number(values.port ?? DEFAULT_PORT);
    if (!/^\d+$/.test(values.port ?? '0') || port > 65_535)
      return { ok: false, message: `Invalid port ${values.port}. Set --port to a number from 0 to 65535.` };
    return { ok: true, value: { port, json: values.json ?? false, help: values.help ?? false } };
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  }
}
