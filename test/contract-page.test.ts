import { describe, expect, test } from 'vitest';
import { readTags } from '../scripts/contract/read-tags.ts';
import { showDifferences } from '../scripts/contract/show-differences.ts';
import { findPageProblems, writePage } from '../scripts/contract/write-page.ts';

/** The tags of a file, formatted as `section: sentence ← test`. */
function read(...lines: string[]) {
  const { sentences, problems } = readTags('packages/a/src/x.test.ts', lines.join('\n'));
  return {
    proofs: sentences.map(({ section, sentence, test: title }) => `${section}: ${sentence} ← ${title}`),
    problems,
  };
}

describe('a tag', () => {
  test('belongs to the test below it and includes the enclosing titles', () => {
    const { proofs, problems } = read(
      "describe('Form 2', () => {",
      '  // Why this matters.',
      '  // @contract daily/fields: Zero is a value',
      '  // @contract daily/rules: Missing days are null: each of them',
      "  test('returns zero', async () => {});",
      '});',
    );
    expect(problems).toEqual([]);
    expect(proofs).toEqual([
      'daily/fields: Zero is a value ← Form 2 › returns zero',
      'daily/rules: Missing days are null: each of them ← Form 2 › returns zero',
    ]);
  });

  test('above a table belongs to each of its rows', () => {
    const { proofs } = read(
      '// @contract daily: Rejects a wrong limit',
      "test.each([['limit=0', 400], ['limit=-1', 422]] as const)('%s is %i', () => {});",
    );
    expect(proofs).toEqual([
      'daily: Rejects a wrong limit ← limit=0 is 400',
      'daily: Rejects a wrong limit ← limit=-1 is 422',
    ]);
  });

  test('above a row belongs to the test of this row, also if the table is a constant', () => {
    const table = ['[', "  'a',", '  // @contract daily: Rejects b', "  'b',", ']'];
    const expected = ['daily: Rejects b ← rejects b'];
    expect(read('test.each(', ...table, ")('rejects %s', () => {});").proofs).toEqual(expected);
    const constant = ['const rows =', ...table.slice(0, -1), '] as const;'];
    expect(read(...constant, "test.each(rows)('rejects %s', () => {});").proofs).toEqual(expected);
    expect(read(...constant, "test.each([...rows])('rejects %s', () => {});").proofs).toEqual(expected);
  });

  test('above a row belongs to it, even if its values are only known at run time', () => {
    const { proofs } = read(
      "test.each([['a', compute()],",
      '// @contract daily: Rejects b',
      "['b', compute()]])('%s is %i', () => {});",
    );
    expect(proofs).toEqual(['daily: Rejects b ← b is …']);
  });

  const endpoints = [
    "const data = { method: 'GET', own: true };",
    'const endpoints = [',
    "  { name: 'GET daily', section: 'daily', ...data },",
    "  { name: 'GET catalog', section: 'catalog', ...data, own: false },",
    "  { name: 'DELETE user', section: 'users', ...data, method: 'DELETE' },",
    '];',
  ];

  test('takes its section and parts of its sentence from the row, and follows conditions', () => {
    const { proofs } = read(
      ...endpoints,
      "describe.each(endpoints)('$name', (endpoint) => {",
      '  const { own } = endpoint;',
      '  if (own) {',
      '    // @contract $section/statuses: 403 on $method',
      "    test('403', () => {});",
      '  } else {',
      '    // @contract $section/statuses: Public',
      '    test(`200 of ${endpoint.name}`, () => {});',
      '  }',
      '});',
    );
    expect(proofs).toEqual([
      'daily/statuses: 403 on GET ← GET daily › 403',
      'users/statuses: 403 on DELETE ← DELETE user › 403',
      'catalog/statuses: Public ← GET catalog › 200 of GET catalog',
    ]);
  });

  test('can be limited to rows with a value, or to the others', () => {
    const { proofs } = read(
      ...endpoints,
      'for (const { name } of endpoints) {',
      '  // @contract a [GET catalog | DELETE user]: Some',
      '  // @contract b [not DELETE]: Others',
      '  test(`calls ${name}`, () => {});',
      '}',
    );
    expect(proofs).toEqual([
      'a: Some ← calls GET catalog',
      'a: Some ← calls DELETE user',
      'b: Others ← calls GET daily',
      'b: Others ← calls GET catalog',
    ]);
  });

  test('above a row can be limited to rows of the enclosing tables', () => {
    const { proofs } = read(
      "describe.each(['sleep', 'workouts'])('%s', () => {",
      '  test.each([',
      '    // @contract sleep [sleep]: Rejects 0',
      "    'limit=0',",
      "  ])('%s', () => {});",
      '});',
    );
    expect(proofs).toEqual(['sleep: Rejects 0 ← sleep › limit=0']);
  });
});

describe('problems', () => {
  const place = 'packages/a/src/x.test.ts';
  const unattached = 'the tag is not directly above a test or a row of a test table';

  test.each([
    ['an empty sentence', ['// @contract daily: ', "test('x', () => {});"], 'the sentence is empty'],
    ['a tag without a section', ['// @contract Zero', "test('x', () => {});"], 'write a tag as'],
    ['a block comment', ['/* @contract daily: Zero */', "test('x', () => {});"], 'write a tag as'],
    [
      'a tag above other code',
      ['// @contract daily: Zero', 'prepare();', "test('x', () => {});"],
      unattached,
    ],
    ['a tag above a describe', ['// @contract daily: Zero', "describe('x', () => {});"], unattached],
    ['a tag above a skipped test', ['// @contract daily: Zero', "test.skip('x', () => {});"], unattached],
    ['a tag at the end of a file', ["test('x', () => {});", '// @contract daily: Zero'], unattached],
    [
      'a tag below the last row',
      ["test.each(['a'", '// @contract daily: Zero', "])('%s', () => {});"],
      unattached,
    ],
    [
      'a value that no row has',
      ['// @contract daily [b]: Zero', "test.each(['a'])('%s', () => {});"],
      'value b',
    ],
    [
      'a tag that excludes every row',
      ['// @contract daily [not a]: Z', "test.each(['a'])('%s', () => {});"],
      'every',
    ],
    [
      'a property that no row has',
      ['// @contract $key: Zero', "test.each([{ a: 1 }])('$a', () => {});"],
      '$key',
    ],
    ['a file that cannot be parsed', ['// @contract daily: Zero', "test('x', "], 'found `EOF`'],
  ])('rejects %s', (_what, lines, problem) => {
    const { proofs, problems } = read(...lines);
    expect(proofs).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(place);
    expect(problems[0]).toContain(problem);
  });

  const sections = [
    { key: 'daily', title: 'Daily', parts: { fields: 'Fields' } },
    { key: 'events', title: 'Events' },
  ];
  const proof = (section: string, sentence: string) => ({ section, sentence, file: 'x.test.ts', test: 'x' });
  const whole = [proof('daily/fields', 'Zero is a value'), proof('events', 'In order')];

  test.each([
    ['an unknown section', [...whole, proof('daily', 'A')], 'x.test.ts: unknown section daily of "A"'],
    ['a section without sentences', whole.slice(0, 1), 'section events has no sentence'],
    [
      'the same sentence in two spellings',
      [...whole, proof('events', 'In Order')],
      'sentences differ only by case: "In order", "In Order"',
    ],
  ])('rejects %s', (_what, sentences, problem) => {
    expect(findPageProblems(sections, whole)).toEqual([]);
    expect(findPageProblems(sections, sentences)).toEqual([problem]);
  });
});

test('lists each sentence once, with a link to each of its files', () => {
  const sections = [
    { key: 'all', title: 'All', parts: { formats: 'Formats', codes: 'Codes' } },
    { key: 'events', title: 'Events' },
  ];
  const page = writePage(sections, [
    { section: 'events', sentence: '2. Second', file: 'packages/domain/src/b.test.ts', test: 'x' },
    { section: 'events', sentence: '1. First', file: 'packages/domain/src/b.test.ts', test: 'y' },
    { section: 'all/codes', sentence: '404', file: 'packages/server/src/http/a.int.test.ts', test: 'z' },
    { section: 'all/formats', sentence: 'UTC', file: 'packages/server/src/http/a.int.test.ts', test: '1' },
    { section: 'all/formats', sentence: 'UTC', file: 'packages/server/src/http/a.int.test.ts', test: '2' },
    { section: 'all/formats', sentence: 'UTC', file: 'packages/domain/src/b.test.ts', test: '3' },
  ]);
  expect(page.slice(page.indexOf('## All'))).toBe(
    [
      '## All\n',
      '### Formats\n',
      '- UTC · [a], [domain/b]\n',
      '### Codes\n',
      '- 404 · [a]\n',
      '## Events\n',
      '- 1\\. First · [domain/b]',
      '- 2\\. Second · [domain/b]\n',
      '[domain/b]: ../packages/domain/src/b.test.ts',
      '[a]: ../packages/server/src/http/a.int.test.ts\n',
    ].join('\n'),
  );
});

test('shows lines that were removed, added and moved', () => {
  expect(showDifferences('a\nb\nc', 'a\nc\nd')).toBe('- b\n+ d');
  expect(showDifferences('a\nb', 'b\na')).toBe('line 1 should be: b');
  const many = Array.from({ length: 30 }, (_, at) => `new ${at}`).join('\n');
  expect(showDifferences('', many).split('\n').at(-1)).toMatch(/^and \d+ more$/);
});
