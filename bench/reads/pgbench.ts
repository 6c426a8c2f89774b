import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monthSlices } from '@tributary/domain';
import { selectPrinted } from '@tributary/server/testing/reads';
import { lastDay, tenMetrics, userIdSql, type Account } from './fill.ts';

export interface PgbenchRun {
  databaseUrl: string;
  accounts: readonly Account[];
  usersPerAccount: number;
  connections: number;
  seconds: number;
}

/** Runs the statement of the daily read with PostgreSQL's own load generator. Returns transactions per second. */
export async function pgbench(options: PgbenchRun): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-reads-'));
  const files = await Promise.all(
    options.accounts.slice(0, 20).map(async ({ uuid }, at) => {
      const file = join(folder, `${at}.sql`);
      await writeFile(file, `\\set n random(1, ${options.usersPerAccount})\n${statementFor(uuid)};\n`);
      return file;
    }),
  );
  const flags = { '-M': 'prepared', '-c': options.connections, '-j': 2, '-T': options.seconds };
  const child = spawn(
    'pgbench',
    [
      '-n',
      ...Object.entries(flags).flatMap(([name, value]) => [name, String(value)]),
      ...files.flatMap((file) => ['-f', file]),
      options.databaseUrl,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PGOPTIONS: '-c role=tributary_service -c jit=off -c TimeZone=UTC' },
    },
  );
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  await rm(folder, { recursive: true });
  const [, rate] = /tps = ([\d.]+)/.exec(text) ?? [];
  if (rate === undefined) throw new Error(`Unexpected pgbench output: ${text}`);
  return Number(rate);
}

function statementFor(account: string): string {
  const months = monthSlices(lastDay - 29, lastDay);
  const values = [
    `'${account}'`,
    `'live'`,
    userIdSql(`'${account}'`, ':n'),
    `'{${tenMetrics.map(({ no }) => no).join(',')}}'`,
    String(months[0]!.month),
    String(months.at(-1)!.month),
  ];
  const sql = selectPrinted.text.replaceAll(/\$(\d)/g, (_, number: string) => values[Number(number) - 1]!);
  return sql.replaceAll(/\s+/g, ' ');
}
