import { html, type Html } from '../../html.ts';
import { formatId } from '../../ids.ts';
import type { ConnectView } from '../../services/connections/open-connect-link.ts';
import { shareField } from '../../services/connections/continue-connecting.ts';
import { redirectWith } from '../../services/connections/allowed-redirect.ts';
import { factList } from './facts.ts';
import { formTarget } from './form-target.ts';
import { contactLine, named, type Page } from './layout.ts';

/** The page before a person continues to a provider: which organization wants to read which data, and how to stop it. */
export function connectPage(view: ConnectView): Page {
  const who = named(view.organization);
  const { name, reads } = view.provider;
  return {
    title: `Connect ${name}`,
    organization: view.organization,
    main: html`<div class="opening">
        <h1>Connect ${name} to ${who}</h1>
        <p>
          ${who} would like to read the data that ${name} records about you. Next, ${name} asks you to sign in
          and allow this. Your password stays with ${name}.
        </p>
      </div>
      <section class="card" aria-labelledby="readable">
        <h2 id="readable">Data ${who} could read</h2>
        ${factList(reads.map(({ category, what }) => [category, what.charAt(0).toUpperCase() + what.slice(1)]))}
      </section>
      ${optInSection(view)}
      <section class="card" aria-labelledby="terms">
        <h2 id="terms">Good to know</h2>
        ${factList(termsOf(view))}
      </section>
      <form method="post" id="${formId}" class="steps" aria-label="Your choice">
        <button class="button primary" name="choice" value="continue">Continue to ${name}</button>
        <button class="button" name="choice" value="cancel">Not now</button>
      </form>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

/** The form that a choice belongs to. It stays at the bottom of a phone, so the boxes are in a section of their own. */
const formId = 'continue';

/** A box for each category that is off unless the person turns it on. */
function optInSection({ organization, provider }: ConnectView): Html | null {
  if (provider.optIns === undefined) return null;
  return html`<section class="card" aria-labelledby="opt-in">
    <h2 id="opt-in">Off unless you turn it on</h2>
    ${provider.optIns.map(
      ({ scope, category, what }) =>
        html`<label class="choice"
          ><input type="checkbox" form="${formId}" name="${shareField}" value="${scope}" /><span
            >Also share <b>${category}</b> with ${named(organization)}: ${what}. Everything else works without
            it.</span
          ></label
        >`,
    )}
  </section>`;
}

function termsOf({ organization, provider }: ConnectView): [string, Html][] {
  const who = named(organization);
  const years = Math.floor(provider.historyDays / 365);
  const since =
    years >= 1
      ? html`the last ${years === 1 ? 'year' : `${years} years`}`
      : html`the last ${provider.historyDays} days`;
  return [
    [
      'Time period',
      provider.historyDays > 0
        ? html`${provider.name} data from ${since}, and new data as ${provider.name} adds it.`
        : html`New data, from now on.`,
    ],
    [
      'Read only',
      html`${who} only reads data. It does not change or post anything in your ${provider.name} account.`,
    ],
    [
      'How to stop',
      html`Disconnect in ${who}’s app or in your ${provider.name} account. Data that was read before then is
      kept until ${who} erases it.`,
    ],
  ];
}

/** Asks a person who returned in another browser to confirm that they started this connection. */
export function confirmReturnPage(view: ConnectView, query: URLSearchParams): Page {
  const who = named(view.organization);
  const { name } = view.provider;
  return {
    title: `Connect ${name}`,
    organization: view.organization,
    main: html`<div class="opening">
        <h1>Are you connecting ${name} to ${who}?</h1>
        <p>
          You came back from ${name} in a different browser from the one you started in. If someone else sent
          you here, stop: they would be able to read your data.
        </p>
      </div>
      ${optInSection(view)}
      <form method="post" action="/connect/callback" id="${formId}" class="steps" aria-label="Your choice">
        ${['state', 'code', 'scope'].map((field) => hidden(field, query.get(field)))}
        <button class="button">Yes, connect ${name}</button>
      </form>
      <p class="aside">Not you? Close this page. Nothing is shared.</p>
      ${contactLine(view.organization, view.contactEmail)}`,
    ...(view.redirectUrl !== null && { formTargets: [formTarget(view.redirectUrl)] }),
  };
}

function hidden(name: string, value: string | null): Html | null {
  return value === null ? null : html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** The app's redirect URL with the outcome. */
export function returnTo({ redirectUrl, status, deviceId, provider }: ConnectView): string {
  const reportedStatuses = { open: 'failed', continued: 'used' } as Partial<
    Record<ConnectView['status'], string>
  >;
  return redirectWith(redirectUrl!, {
    status: reportedStatuses[status] ?? status,
    device_id: formatId('dev', deviceId),
    provider: provider.id,
  });
}

/** Shown for links that are invalid or already deleted. */
export function unknownConnectPage(): Page {
  return {
    title: 'We do not recognize this link',
    organization: null,
    main: html`<div class="opening">
      <h1>We do not recognize this link</h1>
      <p>Part of it may be missing, or it may be too old. Nothing is shared.</p>
      <p>To get a new link, start again in the app that sent you here.</p>
    </div>`,
  };
}

interface Words {
  badge: string;
  tone: '' | 'ok' | 'warn';
  heading: Html;
  text: Html;
}

/** Shows the outcome of a link and what to do next. */
export function endedConnectPage(view: ConnectView): Page {
  const { badge, tone, heading, text } = wordsOf(view);
  return {
    title: badge,
    organization: view.organization,
    main: html`<div class="opening">
        <p class="badge ${tone}">${badge}</p>
        <h1>${heading}</h1>
        <p>${text}</p>
      </div>
      ${
        view.redirectUrl === null
          ? null
          : html`<a class="button" href="${returnTo(view)}"
              ><span>Back to ${named(view.organization)}</span></a
            >`
      }
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

function wordsOf({ organization, provider: { name }, status }: ConnectView): Words {
  const who = named(organization);
  switch (status) {
    case 'connected':
      return {
        badge: 'Connected',
        tone: 'ok',
        heading: html`${name} is connected to ${who}`,
        text: html`Your data arrives within minutes, starting with the most recent days. You can close this
        page.`,
      };
    case 'cancelled':
      return {
        badge: 'Not connected',
        tone: '',
        heading: html`${name} was not connected`,
        text: html`Nothing is shared. If you change your mind, start again in ${who}’s app.`,
      };
    case 'declined':
      return {
        badge: 'Not connected',
        tone: '',
        heading: html`You did not allow access to ${name}`,
        text: html`Nothing is shared. If this was a mistake, start again in ${who}’s app and allow access when
        ${name} asks.`,
      };
    case 'expired':
      return {
        badge: 'Expired',
        tone: 'warn',
        heading: html`This link has expired`,
        text: html`For your safety, it works for 30 minutes only. To get a new link, start again in ${who}’s
        app.`,
      };
    case 'withdrawn':
      return {
        badge: 'No longer valid',
        tone: 'warn',
        heading: html`This link is no longer valid`,
        text: html`${who} is no longer asking to connect ${name}. Nothing is shared. If you still want to
        connect it, start again in ${who}’s app.`,
      };
    case 'continued':
      return {
        badge: 'Used',
        tone: 'warn',
        heading: html`This link has already been used`,
        text: html`If you are still signing in to ${name} in another window, finish there. Otherwise, start
        again in ${who}’s app to get a new link.`,
      };
    case 'failed':
    case 'open':
      return {
        badge: 'Connection failed',
        tone: 'warn',
        heading: html`We could not connect ${name}`,
        text: html`${name} did not respond as expected. Nothing is shared. Wait a minute, then start again in
        ${who}’s app.`,
      };
  }
}
