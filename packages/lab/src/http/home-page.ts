import { html, printPage } from './html.ts';
import type { Lab } from '../lab-type.ts';
import type { Person } from '../world/people/person.ts';

const MOST_GRANTS = 100;
const LAST_PUSHES = 20;

/** The page that shows the contents of the lab and its latest activity. */
export function renderHome(lab: Lab, people: readonly Person[]): string {
  const grants = lab.grants().slice(-MOST_GRANTS);
  const pushes = lab.pushes.list().slice(-LAST_PUSHES).toReversed();
  return printPage(
    'Lab',
    html`<main>
      <h1>Lab</h1>
      <p>
        Simulated providers on this machine, and their simulated users. The lab clock is at
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
      <h2>Simulated users</h2>
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
      <p>You can also use <code>person-1</code>, <code>person-2</code> and so on, without limit.</p>
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
      <h2>Latest pushes</h2>
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
