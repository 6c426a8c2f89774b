import type { ProvenSentence } from './read-tags.ts';
import type { sections as allSections } from './sections.ts';

type Sections = typeof allSections;

const introduction = `# API contract

<!-- Generated from the tests by \`npm run contract:page -- --write\`. Do not edit. -->

This page lists what the API guarantees for reads, consolidation, events, webhooks, and the team roster. Each sentence links to the test
files that prove it. In a linked file, search for the sentence: it is written above each test that proves it.

Reads have two forms at the same paths: Form 1 returns rows in \`data\` with numbered pages, Form 2 returns columns with cursors.
_(addition)_ marks what Tributary adds to the interface that it implements.`;

/** The page, with the sentences of each section in the given order. */
export function writePage(sections: Sections, sentences: readonly ProvenSentence[]): string {
  const bySection = Map.groupBy(sentences, ({ section }) => section);
  const list = (key: string) => writeList(bySection.get(key) ?? []);
  const blocks = sections.flatMap(({ key, title, parts }) => [
    `## ${title}`,
    ...(parts
      ? Object.entries(parts).flatMap(([part, name]) => [`### ${name}`, list(`${key}/${part}`)])
      : [list(key)]),
  ]);
  const files = [...new Set(sentences.map(({ file }) => file))].toSorted();
  const links = files.map((file) => `[${labelOf(file)}]: ../${file}`).join('\n');
  return `${[introduction, ...blocks, links].join('\n\n')}\n`;
}

function writeList(sentences: readonly ProvenSentence[]): string {
  const bySentence = Map.groupBy(sentences, ({ sentence }) => sentence);
  return [...bySentence]
    .toSorted(([one], [other]) => leadingNumber(one) - leadingNumber(other))
    .map(([sentence, tests]) => {
      const labels = new Set(tests.map(({ file }) => `[${labelOf(file)}]`));
      return `- ${sentence.replace(/^(\d+)\./, '$1\\.')} · ${[...labels].join(', ')}`;
    })
    .join('\n');
}

/** Status codes and numbered rules are listed in ascending order, after the other sentences. */
function leadingNumber(sentence: string): number {
  return Number(/^\d+/.exec(sentence)?.[0] ?? 0);
}

/** A short name for a test file. Most are in the HTTP layer of the server. */
function labelOf(file: string): string {
  return file
    .replace(/^packages\/(server\/src\/http\/)?/, '')
    .replace('/src/', '/')
    .replace(/(\.int)?\.test\.ts$/, '');
}

/** Problems that would make the page wrong: sentences without a section, sections without sentences, and sentences that differ only by case. */
export function findPageProblems(sections: Sections, sentences: readonly ProvenSentence[]): string[] {
  const keys = sections.flatMap(({ key, parts }) =>
    parts ? Object.keys(parts).map((part) => `${key}/${part}`) : [key],
  );
  const unknownKeys = sentences
    .filter(({ section }) => !keys.includes(section))
    .map(({ section, file, sentence }) => `${file}: unknown section ${section} of "${sentence}"`);
  const used = new Set(sentences.map(({ section }) => section));
  const empty = keys.filter((key) => !used.has(key)).map((key) => `section ${key} has no sentence`);
  const spellings = Map.groupBy(sentences, ({ section, sentence }) => `${section} ${sentence.toLowerCase()}`);
  const twice = [...spellings.values()]
    .map((same) => [...new Set(same.map(({ sentence }) => sentence))])
    .filter((different) => different.length > 1)
    .map((different) => `sentences differ only by case: ${different.map((one) => `"${one}"`).join(', ')}`);
  return [...new Set([...unknownKeys, ...empty, ...twice])];
}
