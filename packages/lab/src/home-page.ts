import { html, printPage } from './html.ts';
import type { Lab } from './lab.ts';
import type { Person } from './people/person.ts';

const MOST_GRANTS = 100;
const LAST_PUSHES = 20;

/** The page that shows what is in the lab and what happened last. */
export function renderHome(lab: Lab, people: readonly Person[]): string {
  const grants = lab.grants().slice(-MOST_GRANTS);
  const pushes = lab.pushes.list().slice(-LAST_PUSHES).toReversed();
  return printPage(
    'The lab',
    html`<main>
      <h1>The lab</h1>
      <p>
        Providers that run on this machine, and people who live in it. The clock stands at
        ${momentOf(lab.clock.now())}.
      </p>
      <h2>Providers</h2>
      <table>
        ${lab.providers.map(
          ({ id, name }) =>
            html`<tr>
              <td>${name}</td>
              <td><code>${lab.url}/${id}</code></td>
              <td>${lab.counts(id).requests} requests</td>
            </tr>`,
        )}
      </table>
      <h2>People</h2>
      <table>
        ${people.map(
          ({ id, name, timezone }) =>
            html`<tr>
              <td><code>${id}</code></td>
              <td>${name}</td>
              <td>${timezone}</td>
            </tr>`,
        )}
      </table>
      <p>And <code>person-1</code>, <code>person-2</code> and so on, as many as are wanted.</p>
      <h2>Grants</h2>
      <table>
        ${grants.map(
          ({ id, personId, clientId, scopes, revoked }) =>
            html`<tr>
              <td><code>${id}</code></td>
              <td>${personId}</td>
              <td>${clientId}</td>
              <td>${revoked ? 'revoked' : scopes.join(', ')}</td>
            </tr>`,
        )}
      </table>
      <h2>Last pushes</h2>
      <table>
        ${pushes.map(
          ({ provider, push, attempts, outcome }) =>
            html`<tr>
              <td>${provider}</td>
              <td>${push.personId}</td>
              <td>${push.url}</td>
              <td>${outcome}</td>
              <td>${attempts.map(({ status }) => status ?? '–').join(' ')}</td>
            </tr>`,
        )}
      </table>
    </main>`,
  );
}

function momentOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
