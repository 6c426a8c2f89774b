import { expect, test } from 'vitest';
import { describeFailure } from './connection-failure.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

test.each([
  [withCode('getaddrinfo ENOTFOUND tls.example.com', 'ENOTFOUND'), 'not connected'],
  [
    new Error('connection refused', { cause: withCode('connect ECONNREFUSED', 'ECONNREFUSED') }),
    'not connected',
  ],
  [new Error("'Authorization Violation'"), 'credentials rejected'],
  [new Error('User Authentication Expired'), 'credentials rejected'],
  [new Error('WRONGPASS invalid username-password pair or user is disabled.'), 'credentials rejected'],
  [new Error('NOAUTH Authentication required.'), 'credentials rejected'],
  [
    withCode('self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN'),
    'certificate rejected',
  ],
  [
    withCode('unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    'certificate rejected',
  ],
  [withCode('certificate has expired', 'CERT_HAS_EXPIRED'), 'certificate rejected'],
  [withCode('Hostname/IP does not match', 'ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate rejected'],
  [new Error('The server does not support SSL connections'), 'certificate rejected'],
  ['timeout', 'not connected'],
])('classifies %s', (error, kind) => {
  expect(describeFailure(error).kind).toBe(kind);
});

test('gives one bounded line with the code', () => {
  expect(describeFailure(withCode('one\ntwo', 'CODE')).reason).toBe('one (CODE)');
  expect(describeFailure(new Error('x'.repeat(999))).reason).toHaveLength(300);
  expect(describeFailure(new Error('')).reason).toBe('unknown error');
});
