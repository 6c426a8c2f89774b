import { fileURLToPath } from 'node:url';
import type { SourceFile } from 'typescript/unstable/ast';
import { API, type Checker, type Project } from 'typescript/unstable/sync';

/** Source files with the compiler's type information. */
export interface Source extends Disposable {
  project: Project;
  checker: Checker;
  /** Files whose statements are checked, without tests. */
  files: SourceFile[];
  /** A file and line for messages. */
  locate(node: { getSourceFile(): SourceFile; getStart(): number }): string;
}

export const repository = fileURLToPath(new URL('../../../../../', import.meta.url));

/**
 * Opens a folder with the TypeScript compiler. Its project file exists only in memory and covers a part of the repository: statements
 * depend on nothing outside the server and its imports.
 */
export function openSource(folder: string, root: string = repository): Source {
  const config = `${root}tsconfig.statements.json`;
  const content = JSON.stringify({
    extends: `${repository}tsconfig.json`,
    compilerOptions: { typeRoots: [`${repository}node_modules/@types`] },
    include: [`${root}${folder}`],
    exclude: [`${root}${folder}/**/*.test.ts`],
  });
  const api = new API({
    cwd: root,
    fs: {
      readFile: (name) => (name === config ? content : undefined),
      fileExists: (name) => (name === config ? true : undefined),
    },
  });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`the compiler did not open ${config}`);
    const own = project.program
      .getSourceFileNames()
      .filter(
        (name) =>
          name.startsWith(`${root}${folder}/`) && !/\.test\.ts$|\/test\//.test(name.slice(root.length)),
      );
    return {
      project,
      checker: project.checker,
      files: own.map((name) => project.program.getSourceFile(name)!),
      locate(node) {
        const file = node.getSourceFile();
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        return `${file.fileName.slice(root.length)}:${line + 1}`;
      },
      [Symbol.dispose]: () => api.close(),
    };
  } catch (error) {
    api.close();
    throw error;
  }
}
