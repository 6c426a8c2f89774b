/**
 * Assembles the files of the image in the folder given as argument. Runs in the build stage, after `npm ci` for the server only. It leaves out what the
 * service does not need to run: tests, type declarations, source maps and documentation of libraries.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commit: { type: 'string', default: '' } },
});
const [target] = positionals;
if (!target) throw new Error('Usage: assemble.ts <folder> [--commit <commit>]');

const packages = ['contract', 'design', 'domain', 'providers', 'server'];
/** Linked because npm installs what they depend on, and used only by tests. */
const testPackages = ['lab', 'stack', 'rig'];
const unusedModules = ['smtp-server', 'postal-mime'];
const unusedFolders = new Set([
  'test',
  'tests',
  '__tests__',
  'docs',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
]);
const unusedFile = /\.(?:map|md|markdown|d\.ts|d\.mts|d\.cts)$/;
const testFile = /\.test\.ts$/;

const app = join(target, 'app');
await mkdir(app, { recursive: true });
await cp('package.json', join(app, 'package.json'));
await cp('node_modules', join(app, 'node_modules'), { recursive: true, verbatimSymlinks: true });
for (const name of packages) {
  const from = join('packages', name);
  await cp(from, join(app, from), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !testFile.test(path) && !/\/src\/test(?:ing)?$/.test(path),
  });
}
// The service serves the built pages and reads nothing else of the dashboard.
for (const path of ['package.json', 'dist'])
  await cp(join('packages/dashboard', path), join(app, 'packages/dashboard', path), { recursive: true });
// `tributary init` copies them.
const installationPaths = [
  'compose.yaml',
  'deploy/compose',
  'deploy/monitoring/prometheus.yml',
  'deploy/monitoring/alerts.yml',
  'deploy/monitoring/alertmanager.yml',
  'deploy/monitoring/grafana',
];
for (const path of installationPaths)
  if (existsSync(path)) await cp(path, join(app, path), { recursive: true });
for (const name of testPackages)
  await rm(join(app, 'node_modules/@tributary', name), { force: true, recursive: true });
for (const name of unusedModules) await rm(join(app, 'node_modules', name), { force: true, recursive: true });
for (const modules of ['node_modules', ...packages.map((name) => `packages/${name}/node_modules`)])
  await prune(join(app, modules));
if (values.commit !== '') await writeFile(join(app, 'packages/server/commit'), `${values.commit}\n`);

/** Deletes what libraries ship for people and for compilers. */
async function prune(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (unusedFolders.has(entry.name) || entry.name === '.bin' || entry.name === '.cache')
        await rm(path, { recursive: true });
      else await prune(path);
    } else if (unusedFile.test(entry.name)) await rm(path);
  }
}
