import type { Command } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { createContext } from '../create-context.ts';
import { parseId, type IdPrefix } from '../ids.ts';
import { createLog } from '../log.ts';
import { runAction } from './run-action.ts';

/** Runs an operator's command with its own context and disposes of it. */
export function withContext<Args extends unknown[]>(
  work: (ctx: Context, ...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return (...args) =>
    runAction(async () => {
      const config = readConfig();
      const log = createLog({ ...config, log: { level: 'warn' } }, 'cli');
      await using ctx = await createContext(config, 'cli', log);
      await work(ctx, ...args);
      // Broadcasts invalidate caches immediately. Without a broker the caches expire half a second later, so this waits only briefly.
      await ctx.broker.flush(500);
    });
}

export function addJsonOption(command: Command): Command {
  return command.option('--json', 'print one line of JSON instead of text');
}

/** One line of JSON with --json, else aligned text. */
export function print(options: { json?: boolean }, value: unknown, text: string): void {
  console.log(options.json ? JSON.stringify(value) : text);
}

/** Rows as aligned columns with a header. */
export function table(header: string[], rows: string[][]): string {
  const widths = header.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The UUID of an ID that an operator entered. */
export function requireId(prefix: IdPrefix, id: string): string {
  const uuid = parseId(prefix, id);
  if (!uuid)
    throw new ConfigError(`Invalid id ${id}: expected an id such as ${prefix}_01jcqz4w5ve9prdk6r9f4vg1yx.`);
  return uuid;
}
