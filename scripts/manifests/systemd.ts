import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Report } from '@tributary/rig';

const run = promisify(execFile);
const installed = '/opt/tributary/current';
const mostExposure = 1.6;

/** Verifies the units with the paths of this clone, and bounds what a process could reach. */
export async function checkUnits(root: string, report: Report): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'tributary-units-'));
  try {
    await cp(join(root, 'deploy/systemd'), dir, { recursive: true });
    for (const name of await readdir(dir))
      if (name.endsWith('.service')) {
        const text = await readFile(join(dir, name), 'utf8');
        await writeFile(join(dir, name), text.replaceAll(installed, root));
      }
    const units = [
      'tributary.target',
      'tributary-migrate.service',
      ...['api', 'ingest', 'jobs', 'keeper'].map((role) => `tributary@${role}.service`),
    ];
    const problems: string[] = [];
    for (const unit of units) {
      // Some mistakes are only printed, without an exit code.
      const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', join(dir, unit)]).catch(
        (error: { stdout: string; stderr: string }) => error,
      );
      problems.push(
        ...`${stdout}${stderr}`
          .split('\n')
          .filter((line) => line.includes(dir) || line.includes('tributary')),
      );
    }
    for (const problem of problems) console.error(problem);
    report.bound('problems of systemd units', String(problems.length), '0', problems.length === 0);
    for (const unit of ['tributary-migrate.service', 'tributary@api.service']) {
      const { stdout } = await run('systemd-analyze', [
        'security',
        '--offline=true',
        '--no-pager',
        join(dir, unit),
      ]);
      const exposure = Number(/exposure level[^:]*: ([\d.]+)/.exec(stdout)?.[1]);
      report.bound(`exposure of ${unit}`, String(exposure), `≤ ${mostExposure}`, exposure <= mostExposure);
    }
  } finally {
    await rm(dir, { recursive: true });
  }
}
