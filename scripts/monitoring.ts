/** Compares the rules, their tests and the board in deploy/monitoring with their source, or writes them with --write. With --check, runs promtool and amtool. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printBoard } from '../deploy/monitoring/source/board.ts';
import { printRules, printRuleTests } from '../deploy/monitoring/source/print-rules.ts';

const folder = fileURLToPath(new URL('../deploy/monitoring/', import.meta.url));
const files = {
  'alerts.yml': printRules(),
  'alerts.test.yml': printRuleTests(false),
  'alerts-slow.test.yml': printRuleTests(true),
  'grafana/boards/tributary.json': printBoard(),
};
/** Needs the Debian packages prometheus and prometheus-alertmanager. */
const checks = [
  ['promtool', 'check', 'config', '--lint=all', '--lint-fatal', 'prometheus.yml'],
  ['promtool', 'test', 'rules', 'alerts.test.yml', 'alerts-slow.test.yml'],
  ['amtool', 'check-config', 'alertmanager.yml'],
] as const;

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
});

const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  if (values.write) await writeFile(folder + name, text);
  else if ((await readFile(folder + name, 'utf8').catch(() => null)) !== text) stale.push(name);
}
if (stale.length > 0) {
  console.error(
    `Not current: ${stale.join(', ')}. Run \`npm run monitoring -- --write\` and commit the files.`,
  );
  process.exitCode = 1;
} else if (!values.check) {
  console.log(values.write ? 'Updated deploy/monitoring.' : 'deploy/monitoring is current.');
}
if (values.check) {
  for (const [command, ...args] of checks) {
    const { status, error } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
    if (error)
      console.error(
        `${command} could not start: ${error.message}. Install prometheus and prometheus-alertmanager.`,
      );
    if (status !== 0) process.exitCode = 1;
  }
}
