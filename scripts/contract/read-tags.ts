import { parseSync, type Comment } from 'oxc-parser';
import { isPrimitive, isRecord, type Value } from './evaluate.ts';
import { listTests, type ListedTest } from './list-tests.ts';

/** A sentence of the contract and one test that proves it. */
export interface ProvenSentence {
  section: string;
  sentence: string;
  file: string;
  test: string;
}

interface Tag {
  section: string;
  /** Limits the tag to tests created from a row with one of these values, or to the others. */
  cases: { values: readonly string[]; excluded: boolean } | null;
  sentence: string;
}

const marker = '@contract';
const form = /^@contract ([\w$/-]+)(?: \[(not )?([^\]]+)\])?:(.*)$/;

export function hasTags(text: string): boolean {
  return text.includes(marker);
}

/**
 * Reads the tags of a test file without running it: `// @contract section: sentence` above a test or above a row of its table. `[value |
 * …]` after the section limits a tag to tests created from rows with one of the values, `[not value | …]` to the others. `$name` in section
 * and sentence is a property of the row.
 */
export function readTags(file: string, text: string): { sentences: ProvenSentence[]; problems: string[] } {
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0)
    return { sentences: [], problems: errors.map(({ message }) => `${file}: ${message}`) };
  const sentences: ProvenSentence[] = [];
  const problems: string[] = [];
  const tests = Map.groupBy(listTests(program), ({ start }) => start);
  const rows = Map.groupBy(
    [...tests.values()].flat().filter(({ rowStart }) => rowStart !== null),
    ({ rowStart }) => rowStart!,
  );
  for (const { comment, target } of findTags(text, comments)) {
    const line = text.slice(0, comment.start).split('\n').length;
    const tag = parseTag(comment.value.trim());
    const tagged = tests.get(target) ?? rows.get(target);
    const read = readTag(tag, tagged, comment.type);
    problems.push(...read.problems.map((problem) => `${file}:${line}: ${problem}`));
    sentences.push(...read.sentences.map((sentence) => ({ ...sentence, file })));
  }
  return { sentences, problems };
}

/** Comments with the marker, each with the offset of the code below it. */
function findTags(text: string, comments: readonly Comment[]): { comment: Comment; target: number }[] {
  let target = -1;
  const tags: { comment: Comment; target: number }[] = [];
  for (const [at, comment] of [...comments.entries()].toReversed()) {
    const end = comments[at + 1]?.start ?? text.length;
    const next = comment.end + text.slice(comment.end).search(/\S|$/);
    if (next !== end) target = next;
    if (hasTags(comment.value)) tags.push({ comment, target });
  }
  return tags.toReversed();
}

function parseTag(text: string): Tag | null {
  const [, section, not, values, sentence] = form.exec(text) ?? [];
  if (section === undefined || sentence === undefined) return null;
  const cases = values
    ? { values: values.split(' | ').map((value) => value.trim()), excluded: not !== undefined }
    : null;
  return { section, cases, sentence: sentence.trim() };
}

interface ReadTag {
  sentences: Omit<ProvenSentence, 'file'>[];
  problems: string[];
}

function fail(...problems: string[]): ReadTag {
  return { sentences: [], problems };
}

function readTag(tag: Tag | null, tests: readonly ListedTest[] | undefined, type: Comment['type']): ReadTag {
  if (!tag || type !== 'Line') return fail(`write a tag as \`// ${marker} section: sentence\``);
  if (tag.sentence === '') return fail('the sentence is empty');
  if (!tests) return fail('the tag is not directly above a test or a row of a test table');
  const missing = tag.cases?.values.filter((value) => !tests.some(({ rows }) => hasValue(rows, value))) ?? [];
  if (missing.length > 0) return fail(...missing.map((value) => `no test row has the value ${value}`));
  const problems = new Set<string>();
  const fill = (text: string, rows: readonly Value[]) =>
    text.replaceAll(/\$(\w+)/g, (whole, name: string) => {
      const row = rows.findLast((one) => isRecord(one) && Object.hasOwn(one, name));
      const value = isRecord(row) ? row[name] : undefined;
      if (typeof value === 'string' || typeof value === 'number') return String(value);
      problems.add(`no row has a known value for ${whole}`);
      return whole;
    });
  const sentences = tests
    .filter(
      ({ rows }) =>
        !tag.cases || tag.cases.excluded !== tag.cases.values.some((value) => hasValue(rows, value)),
    )
    .map(({ titles, rows }) => ({
      section: fill(tag.section, rows),
      sentence: fill(tag.sentence, rows),
      test: titles.join(' › '),
    }));
  if (sentences.length === 0) problems.add('the tag excludes every test');
  return problems.size > 0 ? fail(...problems) : { sentences, problems: [] };
}

function hasValue(rows: readonly Value[], wanted: string): boolean {
  return rows.some((row) => {
    const values = Array.isArray(row) || isRecord(row) ? Object.values(row) : [row];
    return values.some((value) => isPrimitive(value) && String(value) === wanted);
  });
}
