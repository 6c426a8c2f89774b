import { html, printPage } from '../http/html.ts';
import type { Person } from '../world/people/person.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

/** The page on which a person chooses a simulated user and the scopes to grant. */
export function renderConsent(
  provider: string,
  { app, scopes }: AuthorizeRequest,
  people: readonly Person[],
  fields: Record<string, string | undefined>,
): string {
  const chosen = fields['person'];
  const listed = chosen === undefined || people.some(({ id }) => id === chosen);
  const carried = Object.entries(fields).filter(([name]) => name !== 'person');
  return printPage(
    `${app.name} – ${provider}`,
    html`<main class="narrow">
      <h1>${provider}</h1>
      <p>
        <strong>${app.name}</strong> requests access to your data. This is the lab: all users are simulated.
      </p>
      <form method="post">
        ${carried.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value ?? ''}" />`)}
        <fieldset>
          <legend>Sign in as</legend>
          <label
            >Simulated user
            <select name="person">
              ${listed ? '' : html`<option selected>${chosen ?? ''}</option>`}
              ${people.map(({ id, name, timezone }) =>
                id === chosen
                  ? html`<option value="${id}" selected>${name}, ${timezone}</option>`
                  : html`<option value="${id}">${name}, ${timezone}</option>`,
              )}
            </select></label
          >
        </fieldset>
        <fieldset>
          <legend>Allow access to</legend>
          ${scopes.map(
            (scope) =>
              html`<label><input type="checkbox" name="granted" value="${scope}" checked /> ${scope}</label>`,
          )}
        </fieldset>
        <button name="decision" value="allow">Allow</button>
        <button name="decision" value="deny">Deny</button>
      </form>
    </main>`,
  );
}

/** The page that explains why the browser cannot be redirected back to the app. */
export function renderRefusal(provider: string, message: string): string {
  return printPage(
    `Cannot connect – ${provider}`,
    html`<main class="narrow">
      <h1>${provider}</h1>
      <p>${message}</p>
    </main>`,
  );
}
