import { describe, expect, test } from 'vitest';
import { renderText } from '../../mail/render-text.ts';
import { invitationMail } from './invitation-mail.ts';
import { greeting, longTime } from './mail-words.ts';
import { welcomeMail } from './welcome-mail.ts';

describe('greeting', () => {
  test.each(['Ada', 'Dr. Ada Lovelace', 'O’Hara', 'Jürgen', '李雷', 'مريم', '👩🏽‍⚕️', 'J.R.R. Tolkien'])(
    'greets %s',
    (name) => {
      expect(greeting(name)).toBe(`Hello ${name},`);
    },
  );

  test.each([
    null,
    '',
    '\r\n',
    'win at https://evil.example',
    'call evil.example now',
    'www evil example',
    'ada@example.com',
    'x'.repeat(61),
  ])('does not repeat %j', (name) => {
    expect(greeting(name)).toBe('Hello,');
  });

  test('removes line breaks and direction marks', () => {
    expect(greeting('Ada\r\nBcc: \u202eevil')).toBe('Hello,');
    expect(greeting('Ada\r\n\u202eLovelace\u0000')).toBe('Hello Ada Lovelace,');
  });
});

test('formats times in UTC', () => {
  expect(longTime('2026-11-29T23:59:59.000Z')).toBe('November 29, 2026, 23:59 UTC');
  expect(longTime('2026-11-29T00:00:00.000Z')).toBe('November 29, 2026, 00:00 UTC');
  expect(longTime('2026-12-31T23:30:00-02:00')).toBe('January 1, 2027, 01:30 UTC');
});

const url = 'https://health.example.com/invitations/il_x';
const words = { organization: 'Demo Health', name: 'Ada', expiresAt: '2026-11-29T14:05:59.000Z', url };

describe('the invitation', () => {
  const content = invitationMail({ ...words, isExisting: false });
  const text = renderText(content).replace(/\s+/g, ' ');

  test('names the organization, the data and the expiration, and says that it can be ignored', () => {
    expect(content.subject).toBe('Demo Health invites you to share your health data');
    for (const label of [
      'Activity:',
      'Sleep:',
      'Heart and vitals:',
      'Body:',
      'Energy:',
      'Nutrition:',
      'Scores:',
    ])
      expect(text).toContain(label);
    expect(text).toContain('until November 29, 2026, 14:05 UTC');
    expect(text).toContain('Nothing is shared unless you accept');
    expect(text).toContain('you can ignore this email');
    expect(text).toContain(url);
  });

  test('does not promise secrecy for data the organization already has', () => {
    const existing = invitationMail({ ...words, isExisting: true });
    const message = `${existing.preheader} ${renderText(existing)}`.replace(/\s+/g, ' ');
    expect(message).toContain('already has health data about you that it collected itself');
    expect(message).not.toContain('Nothing is shared');
  });

  test('cannot contain extra lines from the organization', () => {
    const hostile = invitationMail({
      ...words,
      isExisting: false,
      organization: 'Evil\r\nBcc: eve@example.com\u202e',
    });
    expect(hostile.subject).toBe('Evil Bcc: eve@example.com invites you to share your health data');
  });
});

test('the welcome lists the shared data and contains the link to stop sharing', () => {
  const content = welcomeMail({ organization: 'Demo Health', name: null, url });
  const text = renderText(content).replace(/\s+/g, ' ');
  expect(content.subject).toBe('You are sharing your health data with Demo Health');
  expect(text).toContain('You can stop sharing at any time');
  expect(text).toContain(url);
  expect(text).toContain('Scores:');
});
