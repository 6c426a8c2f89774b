import { html, type Html } from '../../html.ts';
import { sharedData } from '../../services/mails/shared-data.ts';

/** Renders a list of labeled facts. */
export function factList(facts: readonly (readonly [name: string, fact: Html | string])[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([name, fact]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${fact}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Lists the data an organization can read, in the same words as the mail. */
export function readableList(): Html {
  return factList(
    sharedData.map(({ category, what }) => [category, what.charAt(0).toUpperCase() + what.slice(1)]),
  );
}
