import { describe, expect, test } from 'vitest';
import { checkUrl } from './check-url.ts';

const allow = ['localhost', '127.0.0.1', '[::1]', 'receiver:8080', '10.0.0.1:443'];

describe('accepted URLs', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://EXAMPLE.com:443/a?b=c', 'https://example.com/a?b=c'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['https://example。com/', 'https://example.com/'],
    ['https://my_host.example.com/', 'https://my_host.example.com/'],
    ['https://example.com/a/../b', 'https://example.com/b'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://134744072/', 'https://8.8.8.8/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ['https://notlocalhost.com/', 'https://notlocalhost.com/'],
    ['https://internal.example.com/', 'https://internal.example.com/'],
    ['http://localhost:3000/hook', 'http://localhost:3000/hook'],
    ['http://127.1/', 'http://127.0.0.1/'],
    ['http://[::1]:1/', 'http://[::1]:1/'],
    ['http://receiver:8080/', 'http://receiver:8080/'],
    ['https://10.0.0.1/', 'https://10.0.0.1/'],
  ])('accepts %s', (text, href) => {
    const checked = checkUrl(text, allow);
    expect(checked).toMatchObject({ ok: true });
    expect(checked.ok && checked.url.href).toBe(href);
  });
});

describe('rejected URLs', () => {
  test.each([
    ['', 'begin with `https://`'],
    ['example.com', 'begin with `https://`'],
    ['ftp://example.com/', 'begin with `https://`'],
    ['javascript:alert(1)', 'begin with `https://`'],
    ['file:///etc/passwd', 'begin with `https://`'],
    ['https:example.com', 'begin with `https://`'],
    ['http://example.com/', 'begin with `https://`'],
    ['http://receiver:8081/', 'begin with `https://`'],
    ['http://10.0.0.1/', 'begin with `https://`'],
    ['https://', 'not a valid URL'],
    ['https://:80/', 'not a valid URL'],
    ['https://exa mple.com/', 'a space'],
    ['https://example.com/\t', 'a space'],
    ['https://example.com/a\nb', 'a space'],
    ['https://example.com\\@localhost/', 'backslash'],
    ['https://[fe80::1%25eth0]/', 'not a valid URL'],
    ['https://example.com:65536/', 'not a valid URL'],
    ['https://1.2.3.256/', 'not a valid URL'],
    ['https://ex%00ample.com/', 'not a valid URL'],
    [`https://example.com/${'a'.repeat(2_029)}`, 'longer than 2,048'],
    [`https://example.com/${'ü'.repeat(700)}`, 'after percent-encoding'],
    ['https://user@example.com/', 'user name or password'],
    ['https://:password@example.com/', 'user name or password'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com:0/', 'Port 0'],
    ['http://localhost:0/', 'Port 0'],
    ['https://10.0.0.1:444/', 'not on the public internet'],
    ['https://[::ffff:127.0.0.1]/', 'not on the public internet'],
    ['https://169.254.169.254/', 'not on the public internet'],
    ['https://example.com./', 'ends with a dot'],
    ['https://localhost./', 'ends with a dot'],
    ["https://a'b.example.com/", 'not a valid DNS name'],
    ['https://a..example.com/', 'not a valid DNS name'],
    [`https://${'a.'.repeat(126)}com/`, 'not a valid DNS name'],
    ['https://receiver:8081/', 'local network'],
    ['https://router/', 'local network'],
    ['https://a.localhost/', 'local network'],
    ['https://printer.LOCAL/', 'local network'],
    ['https://metadata.google.internal/', 'local network'],
    ['https://nas.home.arpa/', 'local network'],
  ])('rejects %j: %s', (text, part) => {
    const checked = checkUrl(text, allow);
    expect(checked.ok ? checked.url.href : checked.problem).toContain(part);
  });
});

test('accepts a URL of 2,048 characters', () => {
  const url = `https://example.com/${'a'.repeat(2_028)}`;
  expect(url).toHaveLength(2_048);
  expect(checkUrl(url, [])).toMatchObject({ ok: true });
});
