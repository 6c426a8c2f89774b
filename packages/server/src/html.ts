/** A private symbol, so that no outside value can pass as markup. */
const markup = Symbol('markup');

/** Markup created by the `html` template tag. */
export interface Html {
  readonly [markup]: string;
}

/** A value in a template. Text is escaped, markup is inserted unchanged, and null renders nothing. */
type Part = Html | string | number | null | readonly Part[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds markup from a template. Attributes must be quoted, because escaping relies on the quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((text, at) => text + (at < parts.length ? textOf(parts[at]!) : ''));
  return { [markup]: pieces.join('') };
}

/** Returns markup as text for sending. */
export function printHtml(page: Html): string {
  return page[markup];
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'object') return markup in part ? part[markup] : part.map(textOf).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
