import { freePort, startMailCatcher, type CaughtMail, type MailCatcher } from '@tributary/stack';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testConfig } from '../test/apps/test-config.ts';
import { createTestFolder } from '../test/engines/private-engine.ts';
import { createMailer, type Mailer, type OutgoingMail } from './mailer.ts';
import { MailDelayed } from './mail-error.ts';

let catcher: MailCatcher;
let mailer: Mailer;
const caught: CaughtMail[] = [];

beforeAll(async () => {
  catcher = await startMailCatcher({
    smtpPort: await freePort(),
    httpPort: await freePort(),
    onMessage: (mail) => void caught.push(mail),
  });
  mailer = mailerFor(catcher.smtpUrl);
});
afterAll(async () => {
  await mailer?.[Symbol.asyncDispose]();
  await catcher?.[Symbol.asyncDispose]();
});
beforeEach(() => void caught.splice(0));

const mailerFor = (url: string, settings: Record<string, string> = {}): Mailer =>
  createMailer(testConfig({ SMTP_URL: url, MAIL_FROM: 'Tributary <post@mail.example.com>', ...settings }))!;

const mailTo = (changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  messageId: 'abc123@mail.example.com',
  to: { name: 'Ada', address: 'ada@example.com' },
  fromName: 'Demo Health',
  replyTo: 'team@demo.example',
  content: { subject: 'Hello', preheader: '', blocks: [{ kind: 'paragraph', text: 'Good morning' }] },
  ...changes,
});

const header = (name: string) =>
  caught[0]!.headers.filter((line) => line.name.toLowerCase() === name.toLowerCase());

test('sends in the name of the organization, with its contact as the reply address', async () => {
  await mailer.send(mailTo());
  expect(caught[0]).toMatchObject({
    recipients: ['ada@example.com'],
    from: 'Demo Health <post@mail.example.com>',
    to: 'Ada <ada@example.com>',
    replyTo: 'Demo Health <team@demo.example>',
    subject: 'Hello',
    messageId: '<abc123@mail.example.com>',
  });
  expect(caught[0]!.text.trim()).toBe('Good morning');
  expect(caught[0]!.html).toContain('Good morning');
  expect(header('Auto-Submitted').map(({ value }) => value)).toEqual(['auto-generated']);
  expect(header('X-Mailer')).toEqual([]);
});

test('sends from MAIL_FROM without an organization, and without a reply address if there is no contact', async () => {
  await mailer.send(
    mailTo({ fromName: null, replyTo: null, to: { name: null, address: 'ada@example.com' } }),
  );
  expect(caught[0]).toMatchObject({
    from: 'Tributary <post@mail.example.com>',
    to: 'ada@example.com',
    replyTo: '',
  });
});

describe('names', () => {
  test.each([
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['Evil\r\nBcc: eve@example.com\r\n\r\nbody', 'Evil Bcc: eve@example.com body'],
    ['Ada" <eve@example.com>, "x', 'Ada" <eve@example.com>, "x'],
    ['مستشفى الأمل', 'مستشفى الأمل'],
    ['\u202eevil\u2066', 'evil'],
    ['👩🏽‍⚕️ Health', '👩🏽‍⚕️ Health'],
    ['a, b; c: d', 'a, b; c: d'],
    ['=?utf-8?B?QmNjOiBldmU=?=', '= ?utf-8?B?QmNjOiBldmU= ?='],
    [`${'very '.repeat(40)}long`, `${'very '.repeat(40)}long`],
  ])('%j stays a display name', async (name, shown) => {
    const content = { ...mailTo().content, subject: `About ${name}` };
    await mailer.send(mailTo({ fromName: name, to: { name, address: 'ada@example.com' }, content }));
    expect(caught).toHaveLength(1);
    expect(caught[0]!.recipients).toEqual(['ada@example.com']);
    expect(caught[0]!.from).toBe(`${shown} <post@mail.example.com>`);
    expect(caught[0]!.to).toBe(`${shown} <ada@example.com>`);
    expect(caught[0]!.subject).toBe(`About ${shown}`);
    expect(header('Bcc')).toEqual([]);
    expect(caught[0]!.headers).toHaveLength(10);
  });
});

describe('TLS', () => {
  /** Reaches this machine through an address that does not count as loopback. */
  const elsewhere = () => catcher.smtpUrl.replace('127.0.0.1', '0.0.0.0');

  test('refuses a remote server without TLS', async () => {
    await using strict = mailerFor(elsewhere());
    await expect(strict.send(mailTo())).rejects.toThrow(MailDelayed);
    await expect(strict.send(mailTo())).rejects.toThrow('ETLS');
    expect(caught).toEqual([]);
  });

  test('allows a remote server without TLS if TLS is optional', async () => {
    await using lenient = mailerFor(elsewhere(), { SMTP_TLS: 'optional' });
    await lenient.send(mailTo());
    expect(caught).toHaveLength(1);
  });

  test('does not send a password without TLS', async () => {
    await using strict = mailerFor(elsewhere().replace('smtp://', 'smtp://ada:secret@'));
    await expect(strict.send(mailTo())).rejects.toThrow('ETLS');
  });
});

test('an unreachable server is retried', async () => {
  await using lost = mailerFor(`smtp://127.0.0.1:${await freePort()}`);
  await expect(lost.send(mailTo())).rejects.toThrow(/ESOCKET ECONNREFUSED/);
});

test('createMailer returns null without SMTP_URL', () => {
  expect(createMailer(testConfig({}))).toBeNull();
});

test('uses a URL that was changed in its file, without a restart', async () => {
  using folder = createTestFolder();
  const file = folder.write('smtp-url', 'smtp://127.0.0.1:1');
  await using mailer = mailerFor('', { SMTP_URL_FILE: file });
  await expect(mailer.send(mailTo())).rejects.toThrow(MailDelayed);
  folder.write('smtp-url', `${catcher.smtpUrl}\n`);
  await mailer.send(mailTo());
  expect(caught).toHaveLength(1);
});
