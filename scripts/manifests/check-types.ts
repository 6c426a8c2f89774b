import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { KubernetesObject } from './objects.ts';

const run = promisify(execFile);
type Model = new (data: object) => { validate: () => void };

/** Fields that do not exist, which the schemas accept: the compiler compares each object with its interface. */
export async function checkTypes(root: string, objects: readonly KubernetesObject[]): Promise<string[]> {
  const dir = join(root, 'node_modules/.cache/manifests');
  const lines = objects.map(
    (object) =>
      `({${JSON.stringify(object).slice(1)}) satisfies import('${moduleOf(object)}').I${object.kind};`,
  );
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'nodenext',
    target: 'esnext',
    types: [],
  };
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'objects.ts'), `${lines.join('\n')}\nexport {};\n`);
  await writeFile(
    join(dir, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['objects.ts'] }),
  );
  return run(join(root, 'node_modules/.bin/tsc'), ['--project', dir]).then(
    () => [],
    (error: { stdout: string }) => error.stdout.trim().split('\n'),
  );
}

/** Objects with values of the wrong type or format. */
export async function findInvalidValues(objects: readonly KubernetesObject[]): Promise<string[]> {
  const problems: string[] = [];
  for (const object of objects) {
    const models = (await import(moduleOf(object))) as Record<string, Model>;
    try {
      new models[object.kind]!(object).validate();
    } catch (error) {
      problems.push(`${object.kind} ${object.metadata.name}: ${(error as Error).message}`);
    }
  }
  return problems;
}

function moduleOf({ apiVersion }: KubernetesObject): string {
  return `kubernetes-models/${apiVersion}`;
}
