import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { classifyFailure, MailDelayed, MailRefused } from './mail-error.ts';

const failure = (fields: object) =>
  Object.assign(new Error('550 <ada@example.com>: no such user'), {
    rejected: ['ada@example.com'],
    ...fields,
  });
const smtpFailure = (code: string, command: string, responseCode: number) =>
  failure({ code, command, responseCode, permanent: responseCode >= 500 && responseCode !== 503 });

test.each([
  ['RCPT TO', 550],
  ['RCPT TO', 553],
  ['DATA', 554],
  ['DATA', 552],
])('%s with response %i is a permanent refusal', (command, responseCode) => {
  const mailError = classifyFailure(smtpFailure('EENVELOPE', command, responseCode));
  expect(mailError).toBeInstanceOf(MailRefused);
  expect(mailError).toMatchObject({ code: String(responseCode) });
});

test('refuses an invalid address', () => {
  expect(classifyFailure(failure({ code: 'EENVELOPE', command: 'API' }))).toMatchObject({ code: 'address' });
});

test.each([
  ['a busy mailbox', smtpFailure('EENVELOPE', 'RCPT TO', 450)],
  ['a bad sequence', smtpFailure('EENVELOPE', 'RCPT TO', 503)],
  ['missing authentication', smtpFailure('EENVELOPE', 'RCPT TO', 530)],
  ['a refused sender', smtpFailure('EENVELOPE', 'MAIL FROM', 550)],
  ['a wrong password', smtpFailure('EAUTH', 'AUTH PLAIN', 535)],
  ['no TLS', smtpFailure('ETLS', 'STARTTLS', 502)],
  ['no connection', failure({ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' })],
  ['an unknown error', new Error('ada@example.com')],
])('%s is retried', (_, cause) => {
  expect(classifyFailure(cause)).toBeInstanceOf(MailDelayed);
});

test('errors describe the failure and contain no addresses', () => {
  for (const cause of [smtpFailure('EENVELOPE', 'RCPT TO', 450), smtpFailure('EENVELOPE', 'RCPT TO', 550)]) {
    const mailError = classifyFailure(cause);
    expect(inspect(mailError, { depth: 9 })).not.toContain('ada');
    expect(mailError.cause).toBeUndefined();
  }
  expect(classifyFailure(smtpFailure('EENVELOPE', 'RCPT TO', 450)).message).toContain(
    'EENVELOPE after RCPT TO 450',
  );
});
