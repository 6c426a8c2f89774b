import { HELP, parseArguments } from './arguments.ts';
import { renderGreeting } from './greeting.ts';
import { startLab } from './lab.ts';

const parsed = parseArguments(process.argv.slice(2));
if (!parsed.ok) {
  process.stderr.write(`${parsed.message}\nSee npm run lab -- --help\n`);
  process.exitCode = 2;
} else if (parsed.value.help) {
  process.stdout.write(HELP);
} else {
  process.exitCode = await main(parsed.value);
}

async function main({ port, json }: { port: number; json: boolean }): Promise<number> {
  try {
    await using lab = await startLab({ port });
    process.stdout.write(renderGreeting(lab, json));
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
    return 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    process.stderr.write(`Port ${port} is in use. Use another one: npm run lab -- --port ${port + 1}\n`);
    return 1;
  }
}
