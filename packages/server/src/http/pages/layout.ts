import { plainLine } from '../../mail/plain-line.ts';
import { html, printHtml, type Html } from './html.ts';

/** What a page says. The frame around it is the same on all. */
export interface Page {
  title: string;
  /** Who asks; absent where that is not known. */
  organization: string | null;
  main: Html;
  /** Where its forms may lead besides our own pages: browsers follow no form elsewhere. */
  formTargets?: readonly string[];
}

const drawing = 'M4 3c0 6 8 5 8 11v7M20 3c0 6-8 5-8 11M12 3v4';

// Without an icon of the page's own, browsers would ask for one that is not there.
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

/** The whole document: who asks comes first, we come last. */
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

/** A name that others chose, kept apart from the sentence around it in whatever direction it is written. */
export function named(name: string): Html {
  return html`<bdi>${plainLine(name)}</bdi>`;
}

/** How to reach the organization, where it said so. */
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
