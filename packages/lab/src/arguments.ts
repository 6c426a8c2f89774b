import { parseArgs } from 'node:util';

const DEFAULT_PORT = 8090;

export const HELP = `npm run lab -- [options]

Plays the cloud APIs of wearables providers on this machine, with people whose days are made up.

  --port <number>  where to listen, on 127.0.0.1 (${DEFAULT_PORT}; 0 for any free one)
  --json           print where everything is as one line of JSON
  --help           this text
`;

interface Arguments {
  port: number;
  json: boolean;
  help: boolean;
}

export type ParsedArguments = { ok: true; value: Arguments } | { ok: false; message: string };

/** Reads the command line. */
export function parseArguments(args: string[]): ParsedArguments {
  try {
    const { values } = parseArgs({
      args,
      options: { port: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    });
    const port = Number(values.port ?? DEFAULT_PORT);
    if (!/^\d+$/.test(values.port ?? '0') || port > 65_535)
      return { ok: false, message: `--port ${values.port} is no port: give a number from 0 to 65535.` };
    return { ok: true, value: { port, json: values.json ?? false, help: values.help ?? false } };
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  }
}
