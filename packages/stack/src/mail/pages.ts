import type { CaughtMail } from './caught-mail.ts';

const refreshSeconds = 5;

/** The list of messages, newest first. The page refreshes automatically. */
export function renderList(messages: readonly CaughtMail[]): string {
  const rows = messages.toReversed().map(
    (mail) => `<li><a href="/mails/${mail.id}">
<span class="subject">${escape(mail.subject) || '(no subject)'}</span>
<span class="to">${escape(mail.to)}</span>
${time(mail)}
</a></li>`,
  );
  const body =
    rows.length === 0
      ? `<p class="empty">No messages yet. Email that the service sends appears here and is not delivered.</p>`
      : `<ul class="mails">${rows.join('\n')}</ul>`;
  const count = rows.length === 1 ? '1 message' : `${rows.length} messages`;
  return page(
    'Local inbox',
    `<header><h1>Local inbox</h1><p>${count}. Email is kept on this machine and is not delivered. The last 500 messages are kept until the stack stops.</p></header>
${body}`,
    `<meta http-equiv="refresh" content="${refreshSeconds}">`,
  );
}

/** One mail: its HTML, its text and its headers. */
export function renderMail(mail: CaughtMail): string {
  const facts: [name: string, value: string][] = [
    ['From', escape(mail.from)],
    ['To', escape(mail.to)],
    ...(mail.replyTo === '' ? [] : [['Reply to', escape(mail.replyTo)] as [string, string]]),
    ['Received', time(mail)],
  ];
  const shown =
    mail.html === null
      ? ''
      : `<section><h2>HTML</h2>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mails/${mail.id}/html" title="HTML version of the message"></iframe></section>`;
  return page(
    escape(mail.subject) || '(no subject)',
    `<header><p><a href="/">All messages</a></p><h1>${escape(mail.subject) || '(no subject)'}</h1></header>
<dl>${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>
${shown}
<section><h2>Text</h2><pre tabindex="0">${escape(mail.text)}</pre></section>
<details><summary>Headers</summary><pre tabindex="0">${mail.headers
      .map(({ name, value }) => escape(`${name}: ${value}`))
      .join('\n')}</pre></details>`,
  );
}

/** The HTML of a mail for its frame. Links open in a new tab. */
export function renderFrame(html: string): string {
  const base = '<base target="_blank">';
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => head + base) : base + html;
}

export function renderMissing(): string {
  return page(
    'Message not found',
    `<header><p><a href="/">All messages</a></p><h1>Message not found</h1><p>This message does not exist, or it is no longer among the last 500.</p></header>`,
  );
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#0a6c74" stroke-width="1.6" stroke-linejoin="round"><path d="M2 4h12v8H2zM2 4l6 5 6-5"/></svg>',
)}`;

/** `title` is already escaped. */
function page(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="${icon}">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function time({ receivedAt }: CaughtMail): string {
  return `<time datetime="${receivedAt}">${receivedAt.slice(0, 10)} ${receivedAt.slice(11, 19)} UTC</time>`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
