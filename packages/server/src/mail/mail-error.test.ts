import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { judgeFailure, MailDelayed, MailRefused } from './mail-error.ts';

const failure = (fields: object) =>
  Object.assign(new Error('550 <ada@example.com>: no such user'), {
    rejected: ['ada@example.com'],
    ...fields,
  });
const answered = (code: string, command: string, responseCode: number) =>
  failure({ code, command, responseCode, permanent: responseCode >= 500 && responseCode !== 503 });

test.each([
  ['RCPT TO', 550],
  ['RCPT TO', 553],
  ['DATA', 554],
  ['DATA', 552],
])('%s with response %i is a permanent refusal', (command, responseCode) => {
  const judged = judgeFailure(answered('EENVELOPE', command, responseCode));
  expect(judged).toBeInstanceOf(MailRefused);
  expect(judged).toMatchObject({ code: String(responseCode) });
});

test('refuses an invalid address', () => {
  expect(judgeFailure(failure({ code: 'EENVELOPE', command: 'API' }))).toMatchObject({ code: 'address' });
});

test.each([
  ['a busy mailbox', answered('EENVELOPE', 'RCPT TO', 450)],
  ['a bad sequence', answered('EENVELOPE', 'RCPT TO', 503)],
  ['missing authentication', answered('EENVELOPE', 'RCPT TO', 530)],
  ['a refused sender', answered('EENVELOPE', 'MAIL FROM', 550)],
  ['a wrong password', answered('EAUTH', 'AUTH PLAIN', 535)],
  ['no TLS', answered('ETLS', 'STARTTLS', 502)],
  ['no connection', failure({ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' })],
  ['an unknown error', new Error('ada@example.com')],
])('%s is retried', (_, cause) => {
  expect(judgeFailure(cause)).toBeInstanceOf(MailDelayed);
});

test('errors describe the failure and contain no addresses', () => {
  for (const cause of [answered('EENVELOPE', 'RCPT TO', 450), answered('EENVELOPE', 'RCPT TO', 550)]) {
    const judged = judgeFailure(cause);
    expect(inspect(judged, { depth: 9 })).not.toContain('ada');
    expect(judged.cause).toBeUndefined();
  }
  expect(judgeFailure(answered('EENVELOPE', 'RCPT TO', 450)).message).toContain(
    'EENVELOPE after RCPT TO 450',
  );
});
