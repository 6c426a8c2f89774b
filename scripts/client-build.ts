/** Builds the client as it is published: JavaScript with types and no dependencies, in packages/client/dist. With --check, checks the package. */
import { execFile } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'rolldown';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');
const source = join(root, 'packages/client');
const dist = join(source, 'dist');
/** A browser build that only reads. */
const mostCompressedBytes = 12 * 1024;

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

await rm(dist, { recursive: true, force: true });
await runTool('tsc', '--project', source);
await copyFile(join(source, 'README.md'), join(dist, 'README.md'));
await copyFile(join(root, 'LICENSE'), join(dist, 'LICENSE'));
await writeFile(join(dist, 'package.json'), `${JSON.stringify(await describePackage(), null, 2)}\n`);
console.log('Built packages/client/dist. Publish it with `npm publish packages/client/dist`.');

if (values.check) {
  await runTool('publint', dist, '--strict');
  await runTool('attw', '--pack', dist, '--profile', 'esm-only');
  await checkSize('TributaryUser');
  await checkSize('Tributary');
  console.log('publint and attw found no problems.');
}

async function describePackage(): Promise<object> {
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string };
  return {
    name: '@tributary/client',
    version,
    description: 'Typed client of the Tributary API for Node, browsers, Bun and workers',
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
  };
}

/** Bundles one export for browsers, and fails if it is too large or refers to anything outside of itself. */
async function checkSize(name: string): Promise<void> {
  const entry = `export { ${name} } from ${JSON.stringify(join(dist, 'index.js'))};`;
  const { output } = await build({
    input: 'entry',
    platform: 'browser',
    write: false,
    output: { minify: true },
    external: /^node:/,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? entry : null),
      },
    ],
  });
  const [{ code, imports }] = output;
  if (imports.length > 0) throw new Error(`The browser build imports ${imports.join(', ')}.`);
  const [gzip, brotli] = [gzipSync(code, { level: 9 }).length, brotliCompressSync(code).length];
  console.log(`${name}: ${code.length} bytes minified, ${gzip} with gzip, ${brotli} with brotli`);
  if (gzip > mostCompressedBytes)
    throw new Error(`${name} has ${gzip} bytes compressed, more than ${mostCompressedBytes}.`);
}

async function runTool(tool: string, ...args: string[]): Promise<void> {
  try {
    await run('npx', ['--no-install', tool, ...args], { cwd: root });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    console.error(`${tool} failed:\n${stdout}${stderr}`);
    process.exit(1);
  }
}
