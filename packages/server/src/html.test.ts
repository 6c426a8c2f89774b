import { describe, expect, test } from 'vitest';
import { html, printHtml, type Html } from './html.ts';

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><style>*{}</style>',
  '<!-- ',
  '&lt;b&gt;',
  '\u0000<\u202Eb>',
  '${1}',
];

describe('text in a template', () => {
  test.each(hostile)('%j is escaped', (value) => {
    const page = printHtml(html`<p title="${value}">${value}</p>`);
    const [, attribute = '', text = ''] = /^<p title="([^"]*)">([^<]*)<\/p>$/.exec(page) ?? [];
    expect([attribute, text].map(unescape)).toEqual([value, value]);
    expect(text).not.toMatch(/[<>"']/);
  });

  test('is escaped once', () => {
    expect(printHtml(html`${html`${'&'}`}`)).toBe('&amp;');
  });

  test('is escaped in nested lists', () => {
    expect(printHtml(html`${['<', [html`<br />`, '>']]}`)).toBe('&lt;<br />&gt;');
  });

  test('is escaped even if an object has the shape of markup', () => {
    const forged = JSON.parse('{"markup":"<b>","Symbol(markup)":"<b>","length":0}') as Html;
    expect(() => printHtml(html`${forged}`)).toThrow();
  });
});

test('numbers are rendered and null renders nothing', () => {
  expect(printHtml(html`${0}|${null}|`)).toBe('0||');
});

function unescape(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => names[name]!);
}
