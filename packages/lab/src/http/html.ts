const markup = Symbol('markup');

/** Markup produced by this module. */
export interface Html {
  readonly [markup]: string;
}

type Part = Html | string | number | readonly Part[];

/** Builds markup from a template and escapes the text in it. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    [markup]: strings.map((text, at) => text + (at < parts.length ? textOf(parts[at]!) : '')).join(''),
  };
}

/** A complete HTML page. */
export function printPage(title: string, body: Html): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          :root {
            color-scheme: light dark;
          }
          body {
            font:
              16px/1.5 system-ui,
              sans-serif;
            max-width: 60rem;
            margin: 2rem auto;
            padding: 0 1rem;
          }
          main.narrow {
            max-width: 26rem;
            margin: auto;
          }
          table {
            border-collapse: collapse;
            width: 100%;
          }
          th,
          td {
            text-align: left;
            padding: 0.25rem 1rem 0.25rem 0;
            border-bottom: 1px solid #8886;
            vertical-align: top;
          }
          fieldset {
            border: 1px solid #8886;
            border-radius: 0.5rem;
            margin: 1rem 0;
          }
          label {
            display: block;
          }
          select,
          button {
            font: inherit;
            padding: 0.4rem 1rem;
          }
          td {
            overflow-wrap: anywhere;
          }
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return page[markup];
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function textOf(part: Part): string {
  if (typeof part === 'object') return markup in part ? part[markup] : part.map(textOf).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
