/**
 * Renders the kustomize overlays and checks their objects: fields with TypeScript, values with the schemas of Kubernetes, and with rules of our own what
 * neither knows. Verifies the systemd units.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Report } from '@tributary/rig';
import { parseAllDocuments } from 'yaml';
import { checkSettings } from './manifests/check-settings.ts';
import { checkTypes, findInvalidValues } from './manifests/check-types.ts';
import { findBrokenRules } from './manifests/rules.ts';
import { checkUnits } from './manifests/systemd.ts';
import type { KubernetesObject } from './manifests/objects.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');
const overlays = join(root, 'deploy/kubernetes/overlays');

const report = new Report();
const rendered = new Map<string, KubernetesObject[]>();
for (const name of await readdir(overlays)) {
  const { stdout } = await run('kubectl', ['kustomize', join(overlays, name)], {
    maxBuffer: 16 * 1024 * 1024,
  });
  rendered.set(
    name,
    parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject),
  );
}
add('fields that Kubernetes does not know', await checkTypes(root, [...rendered.values()].flat()));
for (const [name, objects] of rendered) {
  report.note(`${name}: objects`, String(objects.length));
  add(`${name}: values that the schemas reject`, await findInvalidValues(objects));
  add(`${name}: broken rules`, findBrokenRules(objects));
  add(`${name}: settings that the service rejects`, await checkSettings(root, objects));
}
for (const file of ['nats.conf', 'valkey.conf']) {
  const [one, two] = await Promise.all(
    ['deploy/compose', 'deploy/kubernetes/overlays/single-node'].map((folder) =>
      readFile(join(root, folder, file), 'utf8'),
    ),
  );
  add(`${file}: differences to compose.yaml`, one === two ? [] : [file]);
}
await checkUnits(root, report);
report.print('Manifests and units');

function add(what: string, problems: readonly string[]): void {
  for (const problem of problems) console.error(`${what}: ${problem}`);
  report.bound(what, String(problems.length), '0', problems.length === 0);
}
