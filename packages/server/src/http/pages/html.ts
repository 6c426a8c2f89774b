/** Known to nothing that comes from outside, so that no value can pass itself off as markup. */
const markup = Symbol('markup');

/** Markup that was made here. */
export interface Html {
  readonly [markup]: string;
}

/** What may stand in a template: text is escaped, markup is taken as it is, null is nothing. */
type Part = Html | string | number | null | readonly Part[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes markup from a template. Attributes in it are written in quotes, since that is what escaping is for. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((text, at) => text + (at < parts.length ? textOf(parts[at]!) : ''));
  return { [markup]: pieces.join('') };
}

/** The text of markup, to be sent. */
export function printHtml(page: Html): string {
  return page[markup];
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'object') return markup in part ? part[markup] : part.map(textOf).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
