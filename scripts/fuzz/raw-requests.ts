import { connect } from 'node:net';
import type { Random } from '@tributary/rig';

const line = (text: string): string => `${text}\r\n`;
const host = line('Host: x');

/** Bytes that are not valid HTTP, or only just. */
export function rawRequest(random: Random, key: string): { name: string; bytes: Buffer } {
  const auth = line(`Authorization: Bearer ${key}`);
  const json = line('Content-Type: application/json');
  const post = line('POST /v1/users HTTP/1.1') + host + auth + json;
  const get = line('GET /v1/users HTTP/1.1');
  const all: Record<string, string | Buffer> = {
    'random bytes': Buffer.from(Array.from({ length: 300 }, () => random.int(0, 255))),
    'a TLS greeting': Buffer.from('16030100c8010000c40303', 'hex'),
    'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/0.9': 'GET /healthz\r\n\r\n',
    'HTTP/9.9': 'GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n',
    'no host': `${get}${auth}\r\n`,
    'two hosts': `${get}${host}${host}${auth}\r\n`,
    'an invalid host': `${line('GET /docs/ HTTP/1.1')}Host: [::\r\n\r\n`,
    'a host with an odd port': `${line('GET /docs HTTP/1.1')}Host: x:99999999\r\n\r\n`,
    'an empty host': `${line('GET /docs/ HTTP/1.1')}Host: \r\n\r\n`,
    'an unknown method': `BREW /v1/users HTTP/1.1\r\n${host}\r\n`,
    'a method with a space': `GE T /v1/users HTTP/1.1\r\n${host}\r\n`,
    CONNECT: `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`,
    'an absolute address': `GET http://evil.example/v1/users HTTP/1.1\r\n${host}${auth}\r\n`,
    'OPTIONS *': `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
    'a path with bytes': Buffer.from(`GET /v1/users/\xff\xfe HTTP/1.1\r\n${host}${auth}\r\n`, 'latin1'),
    'a path with a space': `GET /v1/us ers HTTP/1.1\r\n${host}\r\n`,
    'a path with a fragment': `GET /v1/users#x HTTP/1.1\r\n${host}${auth}\r\n`,
    'a very long path': `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
    'a very long header': `${get}${host}X: ${'a'.repeat(20_000)}\r\n\r\n`,
    'too many headers': `${get}${host}${auth}${line('X: 1').repeat(1500)}\r\n`,
    'a NUL in a header': `${get}${host}X: a\0b\r\n\r\n`,
    'a folded header': `${get}${host}X: a\r\n b\r\n\r\n`,
    'a header without a name': `${get}${host}: a\r\n\r\n`,
    'bare line feeds': `GET /healthz HTTP/1.1\nHost: x\n\n`,
    'two lengths': `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    'a negative length': `${post}Content-Length: -1\r\n\r\n{}`,
    'a length that is not a number': `${post}Content-Length: two\r\n\r\n{}`,
    'a huge length': `${post}Content-Length: 99999999999999999999\r\n\r\n{}`,
    'a length over the limit': `${post}Content-Length: 2000000\r\n\r\n{}`,
    'less than the length': `${post}Content-Length: 50\r\n\r\n{"reference_id":`,
    'length and chunks': `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'an invalid chunk size': `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    'a chunk size without end': `${post}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n`,
    'an unknown coding': `${post}Transfer-Encoding: gzip\r\n\r\n{}`,
    'good chunks': `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    'an expectation': `${post}Content-Length: 2\r\nExpect: miracles\r\n\r\n{}`,
    'an upgrade': `${get}${host}${auth}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'an upgrade to h2c': `${get}${host}${auth}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n`,
    'two requests at once': `GET /healthz HTTP/1.1\r\n${host}\r\n${line('GET /nope HTTP/1.1')}${host}\r\n`,
  };
  const [name, bytes] = random.pick(Object.entries(all));
  return { name, bytes: Buffer.from(bytes as string) };
}

/** Sends bytes and closes the socket. Resolves with everything received. */
export function sendRaw(baseUrl: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let response = '';
    socket.setEncoding('utf8').on('data', (text: string) => (response += text));
    socket.on('error', () => {}).on('close', () => resolve(response));
    socket.setTimeout(1_500, () => socket.destroy());
    socket.write(bytes);
    setTimeout(() => socket.end(), 150);
  });
}

/** Returns what is wrong with the response to such bytes, or null. An empty response is fine. */
export function checkRawResponse(response: string): string | null {
  if (response === '' || response.startsWith('HTTP/1.1 100')) return null;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
  if (status === 0) return 'the response is not HTTP';
  if (status >= 500) return `status ${status}`;
  const [head = '', body = ''] = response.split(/\r\n\r\n(.*)/s);
  if (/content-type: text\/html/i.test(head) || status === 204 || status === 301) return null;
  if (!/content-type: application\/json/i.test(head)) return `status ${status} without JSON`;
  if (status >= 400 && !/"error":.*"message":.*"details":/.test(body))
    return `status ${status} without our error format`;
  return null;
}
