import { html, printHtml, type Html } from '../../html.ts';
import { plainLine } from '../../mail/plain-line.ts';

/** The content of a page. The frame around it is the same on all pages. */
export interface Page {
  title: string;
  /** The organization that asks, or null if it is unknown. */
  organization: string | null;
  main: Html;
  /** Form targets besides our own pages. Browsers block forms to any other target. */
  formTargets?: readonly string[];
}

const drawing = 'M4 3c0 6 8 5 8 11v7M20 3c0 6-8 5-8 11M12 3v4';

// Without an icon, browsers request a favicon that does not exist.
const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0a6c74" stroke-width="2.6" stroke-linecap="round"><path d="${drawing}"/></svg>`,
)}`;

const mark = html`<svg
  class="mark"
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-width="2.6"
  stroke-linecap="round"
  aria-hidden="true"
>
  <path d="${drawing}" />
</svg>`;

/** Renders the document, with the organization in the header and Tributary in the footer. */
export function renderPage({ title, organization, main }: Page, styleSheetPath: string): string {
  return printHtml(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
          <title>${organization === null ? title : `${title} · ${plainLine(organization)}`}</title>
          <link rel="stylesheet" href="${styleSheetPath}" />
          <link rel="icon" href="${icon}" />
        </head>
        <body>
          <div class="page">
            <header class="asker">
              ${organization === null ? mark : html`${monogram(organization)}${named(organization)}`}
            </header>
            <main>${main}</main>
            <footer>${organization === null ? html`Tributary` : html`${mark}Powered by Tributary`}</footer>
          </div>
        </body>
      </html> `,
  );
}

/** Isolates a name from the direction of the surrounding text. */
export function named(name: string): Html {
  return html`<bdi>${plainLine(name)}</bdi>`;
}

/** The organization's contact address, or null if it has none. */
export function contactLine(organization: string, contactEmail: string | null): Html | null {
  if (contactEmail === null) return null;
  const address = encodeURIComponent(contactEmail).replaceAll('%40', '@');
  return html`<p class="aside">
    Questions? Ask ${named(organization)}: <a href="mailto:${address}">${named(contactEmail)}</a>
  </p>`;
}

function monogram(organization: string): Html | null {
  const [letter] = /[\p{L}\p{N}]/u.exec(organization) ?? [];
  return letter === undefined
    ? null
    : html`<span class="monogram" aria-hidden="true">${letter.toUpperCase()}</span>`;
}
