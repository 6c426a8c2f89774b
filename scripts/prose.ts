/**
 * Checks the wording of everything people read, in docs and in code: phrases with textlint, names by their declarations. cspell checks
 * spelling and single words (`npm run spelling`). Arguments limit it to files whose path begins with one of them.
 */
import { execFileSync } from 'node:child_process';
import { checkWithCache } from './prose/cache.ts';
import { extname } from 'node:path';
import { TextlintKernel, type TextlintPluginCreator } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import terminology from 'textlint-rule-terminology';
import { findParticiples } from './prose/find-names.ts';
import { phrases } from './prose/terms.ts';
import { typescriptPlugin } from './prose/typescript-plugin.ts';

const prefixes = process.argv.slice(2);
/** Files that define the words, or must not change. */
const exempt = ['scripts/prose/', 'docs/writing.md', 'packages/server/src/store/database/migrations/'];
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', '*.ts', '*.tsx'],
  { encoding: 'utf8' },
)
  .trim()
  .split('\n')
  .filter((file) => !exempt.some((prefix) => file.startsWith(prefix)))
  .filter((file) => prefixes.length === 0 || prefixes.some((prefix) => file.startsWith(prefix)));

const kernel = new TextlintKernel();
const plugins = [
  { pluginId: 'markdown', plugin: markdown.default as unknown as TextlintPluginCreator },
  { pluginId: 'typescript', plugin: typescriptPlugin as unknown as TextlintPluginCreator },
];
const rules = [
  { ruleId: 'terminology', rule: terminology, options: { defaultTerms: false, terms: phrases } },
];
const problems = await checkWithCache(files, async (file, text) => {
  const ext = extname(file);
  const { messages } = await kernel.lintText(text, { filePath: file, ext, plugins, rules });
  const phrasing = messages.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`);
  if (ext === '.md') return phrasing;
  const naming = findParticiples(file, text).map(({ name, offset }) => {
    const line = text.slice(0, offset).split('\n').length;
    return `${file}:${line} \`${name}\` is a participle. Name the value it holds instead`;
  });
  return [...phrasing, ...naming];
});
console.log(problems.join('\n'));
console.log(`Found ${problems.length} problems in ${files.length} files.`);
process.exitCode = problems.length === 0 ? 0 : 1;
