import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../ports/ports.ts';
import { startMailCatcher, type MailCatcher } from './inbox.ts';
import type { SmtpReply } from './smtp.ts';

let catcher: MailCatcher;
let ports: { smtpPort: number; httpPort: number };
let replyTo: (subject: string) => Promise<SmtpReply> | SmtpReply = () => {};

beforeAll(async () => {
  ports = { smtpPort: await freePort(), httpPort: await freePort() };
  catcher = await startMailCatcher({ ...ports, beforeReply: ({ subject }) => replyTo(subject) });
});
afterAll(() => catcher?.[Symbol.asyncDispose]());

const hostile = '<script>document.title = "taken"</script> & "quotes"';
const letter = (subject: string, body = '<p>Hello <a href="https://example.com/">link</a></p>') =>
  [
    'From: Demo <post@example.com>',
    'To: Ada <ada@example.com>',
    `Subject: ${subject}`,
    `Message-ID: <${encodeURIComponent(subject)}@example.com>`,
    'Content-Type: text/html; charset=utf-8',
    '',
    body,
  ].join('\r\n');

/** A manual SMTP session. Sends a line and returns the reply once it matches. */
async function converse(port: number) {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let output = '';
  let onData = () => {};
  socket.on('data', (chunk: string) => {
    output += chunk;
    onData();
  });
  const receive = async (code: RegExp) => {
    while (!code.test(output)) await new Promise<void>((resolve) => (onData = resolve));
    const last = output;
    output = '';
    return last;
  };
  const sendLine = (line: string, code: RegExp) => {
    socket.write(`${line}\r\n`);
    return receive(code);
  };
  await receive(/^220 /);
  await sendLine('EHLO test', /^250 /m);
  return { socket, say: sendLine };
}

/** Sends a mail up to its last byte. The caller sends the final dot. */
async function begin({ say: sendLine }: Awaited<ReturnType<typeof converse>>, mail: string): Promise<string> {
  await sendLine('MAIL FROM:<post@example.com>', /^250/);
  await sendLine('RCPT TO:<ada@example.com>', /^250/);
  await sendLine('DATA', /^354/);
  return `${mail}\r\n.`;
}

async function send(mail: string): Promise<string> {
  const conversation = await converse(ports.smtpPort);
  const reply = await conversation.say(await begin(conversation, mail), /^\d{3} /m);
  conversation.socket.end('QUIT\r\n');
  return reply;
}

/** Sends a mail and disconnects before the reply. */
async function abandon(mail: string): Promise<void> {
  const conversation = await converse(ports.smtpPort);
  conversation.socket.write(`${await begin(conversation, mail)}\r\n`);
  await sleep(100);
  conversation.socket.destroy();
  await once(conversation.socket, 'close');
}

const read = async (path: string, headers: Record<string, string> = {}) => {
  const outgoing = request(`${catcher.url}${path}`, { headers, agent: false });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
};

describe('SMTP', () => {
  test('stores a mail and returns it as JSON', async () => {
    expect(await send(letter('first'))).toMatch(/^250/);
    expect(catcher.messages.at(-1)).toMatchObject({ subject: 'first', recipients: ['ada@example.com'] });
    const [newest] = JSON.parse((await read('/messages')).body);
    expect(newest).toMatchObject({
      from: 'Demo <post@example.com>',
      to: 'Ada <ada@example.com>',
      message_id: '<first@example.com>',
    });
    expect(JSON.parse((await read(`/messages/${newest.id}`)).body)).toEqual(newest);
    expect((await read('/messages/999')).status).toBe(404);
  });

  test('does not store a rejected mail', async () => {
    replyTo = () => ({ code: 451 });
    expect(await send(letter('refused'))).toMatch(/^451/);
    replyTo = () => {};
    expect(catcher.messages.map(({ subject }) => subject)).not.toContain('refused');
  });

  test('does not store a mail whose sender disconnected before the reply', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    replyTo = () => promise;
    await abandon(letter('abandoned'));
    await sleep(200);
    resolve();
    replyTo = () => {};
    await send(letter('after'));
    expect(catcher.messages.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['after']));
    expect(catcher.messages.map(({ subject }) => subject)).not.toContain('abandoned');
  });

  test('rejects a mail of more than 1 MiB', async () => {
    expect(await send(letter('large', 'x'.repeat(998).concat('\r\n').repeat(1_100)))).toMatch(/^552/);
  });

  test('stores the last 500 mails', async () => {
    await using small = await startMailCatcher({ smtpPort: await freePort(), httpPort: await freePort() });
    const conversation = await converse(Number(new URL(small.smtpUrl).port));
    for (let number = 1; number <= 503; number += 1)
      await conversation.say(await begin(conversation, `Subject: ${number}\r\n\r\nx`), /^250/);
    conversation.socket.destroy();
    expect(small.messages).toHaveLength(500);
    expect(small.messages[0]!.subject).toBe('4');
  }, 30_000);
});

describe('HTTP', () => {
  test('blocks scripts and external content in every response', async () => {
    await send(letter('policy'));
    const { id } = catcher.messages.at(-1)!;
    for (const path of ['/', `/mails/${id}`, '/nothing', '/messages', '/style.css']) {
      const policy = String((await read(path)).headers['content-security-policy']);
      expect(policy).toMatch(/default-src 'none'/);
      expect(policy).not.toMatch(/unsafe|script-src/);
    }
    const frame = String((await read(`/mails/${id}/html`)).headers['content-security-policy']);
    expect(frame).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
  });

  test('rejects requests under a foreign host name', async () => {
    expect((await read('/messages', { host: 'evil.example' })).status).toBe(421);
    expect((await read('/messages', { host: 'localhost:1' })).status).toBe(200);
  });

  test('reports a port that is in use', async () => {
    await expect(startMailCatcher({ ...ports, httpPort: await freePort() })).rejects.toThrow('EADDRINUSE');
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium-headless-shell',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    });
    await send(
      letter(
        hostile,
        '<p>Hello <a id="go" href="https://example.com/">link</a></p><script>document.title="taken"</script><style>p { color: rgb(1, 2, 3); }</style>',
      ),
    );
  });
  afterAll(() => browser?.close());

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)(
    'at %i pixels, %s: shows hostile text as text, and nothing is wider than the page',
    async (width, colorScheme) => {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const complaints: string[] = [];
      page.on('console', (line) => complaints.push(line.text()));
      await page.goto(catcher.url);
      expect(await page.getByText(hostile).count()).toBe(1);
      await page.getByText(hostile).click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(hostile);
      expect(await page.title()).toBe(hostile);
      const wide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      expect(await page.evaluate(wide)).toBe(false);
      const frame = page.frames()[1]!;
      await frame.waitForLoadState();
      expect(await frame.evaluate(`getComputedStyle(document.querySelector('p')).color`)).toBe(
        'rgb(1, 2, 3)',
      );
      // The policy blocked the frame's script, but nothing of the page itself.
      expect(complaints.filter((line) => !line.includes('/html'))).toEqual([]);
      await page.close();
    },
  );

  test('opens links of a mail in a new tab, outside the frame', async () => {
    const context = await browser.newContext();
    await context.route('https://example.com/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script>document.title = "free"</script>' }),
    );
    const page = await context.newPage();
    await page.goto(`${catcher.url}/mails/${catcher.messages.at(-1)!.id}`);
    const opened = context.waitForEvent('page');
    await page.frames()[1]!.locator('#go').click();
    const tab = await opened;
    await tab.waitForLoadState();
    expect(await tab.title()).toBe('free');
    expect(page.url()).toContain('/mails/');
    await context.close();
  });
});
