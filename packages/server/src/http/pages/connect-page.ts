import { formatId } from '../../ids.ts';
import type { ConnectView } from '../../services/connections/open-connect-link.ts';
import { redirectWith } from '../../services/connections/allowed-redirect.ts';
import { factList } from './facts.ts';
import { formTarget } from './form-target.ts';
import { html, type Html } from './html.ts';
import { contactLine, named, type Page } from './layout.ts';

/** Asks a person before they go on to a provider: who wants to read what, and how to stop it. */
export function connectPage(view: ConnectView): Page {
  const who = named(view.organization);
  const { name, reads } = view.provider;
  return {
    title: `Connect ${name}`,
    organization: view.organization,
    main: html`<div class="opening">
        <h1>Connect ${name} to ${who}</h1>
        <p>
          ${who} would like to read what ${name} records about you. ${name} asks you to sign in and to allow
          it; your password stays with ${name}.
        </p>
      </div>
      <section class="card" aria-labelledby="readable">
        <h2 id="readable">What ${who} could read</h2>
        ${factList(reads.map(({ category, what }) => [category, what.charAt(0).toUpperCase() + what.slice(1)]))}
      </section>
      <section class="card" aria-labelledby="terms">
        <h2 id="terms">Good to know</h2>
        ${factList(termsOf(view))}
      </section>
      <form method="post" class="steps" aria-label="Your choice">
        <button class="button primary" name="answer" value="continue">Continue to ${name}</button>
        <button class="button" name="answer" value="cancel">Not now</button>
      </form>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
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
      'From when',
      provider.historyDays > 0
        ? html`What ${provider.name} has of ${since}, and what it adds.`
        : html`From now on.`,
    ],
    ['Only reading', html`Nothing is changed at ${provider.name}, and nothing is posted there.`],
    [
      'How to stop',
      html`In the app of ${who}, or in your account at ${provider.name}. What was read until then stays until
      ${who} erases it.`,
    ],
  ];
}

/** Asks somebody who came back in another browser whether it is really theirs. */
export function confirmReturnPage(view: ConnectView, query: URLSearchParams): Page {
  const who = named(view.organization);
  const { name } = view.provider;
  return {
    title: `Connect ${name}`,
    organization: view.organization,
    main: html`<div class="opening">
        <h1>Is it you who connects ${name} to ${who}?</h1>
        <p>
          You came back from ${name} in another browser than the one in which this began. If somebody else
          sent you here, stop: they would get to read your data.
        </p>
      </div>
      <form method="post" action="/connect/callback" class="steps" aria-label="Your choice">
        ${['state', 'code', 'scope'].map((field) => hidden(field, query.get(field)))}
        <button class="button">Yes, connect ${name}</button>
      </form>
      <p class="aside">Not you? Close this page, and nothing is shared.</p>
      ${contactLine(view.organization, view.contactEmail)}`,
    ...(view.redirectUrl !== null && { formTargets: [formTarget(view.redirectUrl)] }),
  };
}

function hidden(name: string, value: string | null): Html | null {
  return value === null ? null : html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** Where the app hears what came of it. */
export function returnTo({ redirectUrl, status, deviceId, provider }: ConnectView): string {
  const told = { open: 'failed', continued: 'used' } as Partial<Record<ConnectView['status'], string>>;
  return redirectWith(redirectUrl!, {
    status: told[status] ?? status,
    device_id: formatId('dev', deviceId),
    provider: provider.id,
  });
}

/** For a link that is none of ours, or is forgotten by now. */
export function unknownConnectPage(): Page {
  return {
    title: 'We do not know this link',
    organization: null,
    main: html`<div class="opening">
      <h1>We do not know this link</h1>
      <p>It may have been cut off on its way, or it is too old. Nothing is shared.</p>
      <p>Start again in the app that sent you here to get a new one.</p>
    </div>`,
  };
}

interface Words {
  badge: string;
  tone: '' | 'ok' | 'warn';
  heading: Html;
  text: Html;
}

/** What became of a link, and what to do next. */
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
        text: html`Your data arrive within minutes, the latest days first. You can close this page.`,
      };
    case 'cancelled':
      return {
        badge: 'Not connected',
        tone: '',
        heading: html`${name} was not connected`,
        text: html`Nothing is shared. If you change your mind, start again in the app of ${who}.`,
      };
    case 'declined':
      return {
        badge: 'Not connected',
        tone: '',
        heading: html`You did not allow it at ${name}`,
        text: html`Nothing is shared. If that was not what you wanted, start again in the app of ${who}, and
        allow access when ${name} asks.`,
      };
    case 'expired':
      return {
        badge: 'Expired',
        tone: 'warn',
        heading: html`This link has expired`,
        text: html`For your safety it works for half an hour. Start again in the app of ${who} to get a new
        one.`,
      };
    case 'withdrawn':
      return {
        badge: 'Not valid',
        tone: 'warn',
        heading: html`This link is no longer valid`,
        text: html`${who} does not ask for ${name} any more. Nothing is shared. If you still want to connect
        it, start again in the app of ${who}.`,
      };
    case 'continued':
      return {
        badge: 'Used',
        tone: 'warn',
        heading: html`This link was used already`,
        text: html`If you are still signing in at ${name} in another window, finish there. Otherwise start
        again in the app of ${who} to get a new link.`,
      };
    case 'failed':
    case 'open':
      return {
        badge: 'Did not work',
        tone: 'warn',
        heading: html`${name} could not be connected`,
        text: html`${name} did not answer as it should. Nothing is shared. Wait a minute, then start again in
        the app of ${who}.`,
      };
  }
}
