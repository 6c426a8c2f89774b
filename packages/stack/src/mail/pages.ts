import type { CaughtMail } from './caught-mail.ts';

const refreshSeconds = 5;

/** All mails, newest first; it looks again by itself. */
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
      ? `<p class="empty">No mail yet. What the service sends appears here, and goes to nobody.</p>`
      : `<ul class="mails">${rows.join('\n')}</ul>`;
  const count = rows.length === 1 ? '1 mail' : `${rows.length} mails`;
  return page(
    'Mail',
    `<header><h1>Mail</h1><p>${count}, caught on this machine and brought to nobody. The last 500 are kept until the stack ends.</p></header>
${body}`,
    `<meta http-equiv="refresh" content="${refreshSeconds}">`,
  );
}

/** One mail: as its reader sees it, as text, and its headers. */
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
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mails/${mail.id}/html" title="The mail as HTML"></iframe></section>`;
  return page(
    escape(mail.subject) || '(no subject)',
    `<header><p><a href="/">All mail</a></p><h1>${escape(mail.subject) || '(no subject)'}</h1></header>
<dl>${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>
${shown}
<section><h2>Text</h2><pre tabindex="0">${escape(mail.text)}</pre></section>
<details><summary>Headers</summary><pre tabindex="0">${mail.headers
      .map(({ name, value }) => escape(`${name}: ${value}`))
      .join('\n')}</pre></details>`,
  );
}

/** The HTML of a mail for its frame: links open beside it. */
export function renderFrame(html: string): string {
  const base = '<base target="_blank">';
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => head + base) : base + html;
}

export function renderMissing(): string {
  return page(
    'Not here',
    `<header><p><a href="/">All mail</a></p><h1>Not here</h1><p>There is no such mail, or it was so old that it went.</p></header>`,
  );
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#0a6c74" stroke-width="1.6" stroke-linejoin="round"><path d="M2 4h12v8H2zM2 4l6 5 6-5"/></svg>',
)}`;

/** `title` is escaped already. */
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
