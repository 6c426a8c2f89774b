import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MailBlock, MailContent } from './mail-content.ts';
import { renderHtml } from './render-html.ts';
import { renderText } from './render-text.ts';

const url = 'https://health.example.com/invitations/il_0123456789?a=1&b=%22';
const contentOf = (text: string): MailContent => ({
  subject: text,
  preheader: text,
  blocks: [
    { kind: 'heading', text },
    { kind: 'paragraph', text: `Hello ${text}, how are you?` },
    { kind: 'list', items: [text, 'Sleep'] },
    { kind: 'button', label: text, url },
    { kind: 'note', text },
  ],
});

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decode = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!);

/** Returns the visible text of the HTML, without the hidden preheader, and its links. */
function readHtml(html: string): { words: string[]; links: string[] } {
  const body = /<div\s+class="card"[^>]*>([^]*)<\/div>\s*<\/body>/.exec(html)![1]!;
  const links = [...body.matchAll(/href="([^"]*)"/g)].map((match) => decode(match[1]!));
  return { words: wordsIn(decode(body.replace(/<[^>]*>/g, ' '))), links };
}

function readText(text: string): { words: string[]; links: string[] } {
  const lines = text.split('\n');
  const isLink = (line: string) => line.startsWith('https://health.example.com/');
  const rest = lines.filter((line) => !isLink(line)).map((line) => line.replace(/^- /, '').replace(/:$/, ''));
  return { words: wordsIn(rest.join(' ')), links: lines.filter(isLink) };
}

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const hostile = [
  'Ada Lovelace',
  '<script>alert(1)</script>',
  `"><img src=x onerror='alert(1)'>`,
  'A & B &amp; C &lt;b&gt;',
  'مستشفى الأمل',
  '👩🏽‍⚕️ Health',
  `O'Hara "the doc"`,
  '</style></title><base href=//evil.example>',
];

test.each(hostile)('both versions contain the same words and links: %s', (text) => {
  const content = contentOf(text);
  const [html, plain] = [readHtml(renderHtml(content)), readText(renderText(content))];
  expect(html).toEqual(plain);
  expect(html.links).toEqual([url]);
  expect(plain.words.join(' ')).toContain(text);
});

test('both versions contain the same words for any text', () => {
  const line = fc
    .array(
      fc.string({ unit: 'grapheme', minLength: 1 }).filter((word) => !/\s|:|^-$/u.test(word)),
      {
        minLength: 1,
      },
    )
    .map((words) => words.join(' '));
  fc.assert(
    fc.property(line, (text) => {
      const content = contentOf(text);
      expect(readHtml(renderHtml(content))).toEqual(readText(renderText(content)));
    }),
  );
});

describe('HTML', () => {
  test('contains only its own elements and attributes, for any text', () => {
    const tags = (html: string) => [...html.matchAll(/<[^>]+>/g)].map(([tag]) => tag).join('');
    const calm = tags(renderHtml(contentOf('calm')));
    for (const text of hostile) expect(tags(renderHtml(contentOf(text)))).toBe(calm);
  });

  test('loads no external resources', () => {
    const html = renderHtml(contentOf('calm'));
    expect(html).not.toMatch(/<(img|script|link|iframe|object|video)|url\(|@import|src=/i);
    expect(html.match(/https?:/g)).toHaveLength(1);
  });
});

describe('text', () => {
  const long: MailBlock[] = [
    { kind: 'paragraph', text: 'one two three four '.repeat(20).trim() },
    { kind: 'list', items: ['one two three four '.repeat(20).trim()] },
    { kind: 'button', label: 'Reply', url: `https://example.com/${'x'.repeat(200)}` },
  ];
  const lines = renderText({ subject: '', preheader: '', blocks: long }).split('\n');

  test('wraps at 72 characters, except for links', () => {
    for (const line of lines) if (!line.startsWith('https://')) expect(line.length).toBeLessThanOrEqual(72);
    expect(
      Math.max(...lines.filter((line) => !line.startsWith('https://')).map(({ length }) => length)),
    ).toBeGreaterThan(65);
  });

  test('keeps a link whole on its own line', () => {
    expect(lines).toContain(`https://example.com/${'x'.repeat(200)}`);
  });
});
