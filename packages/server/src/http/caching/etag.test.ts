import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { etagOfContent, isCurrent, sendNotModified } from './etag.ts';

const etag = '"a1,b2"';

/** Requests one tagged response with this `If-None-Match` header. */
async function requestWith(ifNoneMatch: string | undefined, tag = etag) {
  const app = fastify();
  app.get('/', (request, reply) =>
    isCurrent(request, tag) ? sendNotModified(reply, tag) : reply.send({ fresh: true }),
  );
  const response = await app.inject({
    url: '/',
    headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
  });
  await app.close();
  return response;
}

test.each([
  ['the tag', etag],
  ['the tag, weak', `W/${etag}`],
  ['a list with the tag', `"zz", ${etag}`],
  ['a list with the tag first', `${etag},"zz"`],
  ['a list without spaces', `"zz",W/${etag}`],
  ['a list over two headers, joined', `"zz", "yy",  ${etag}`],
  ['anything', '*'],
  ['a wildcard with spaces', ' * '],
])('returns 304 for %s', async (_name, ifNoneMatch) => {
  const response = await requestWith(ifNoneMatch);
  expect(response.statusCode).toBe(304);
  expect(response.body).toBe('');
  expect(response.headers.etag).toBe(etag);
  expect(response.headers).not.toHaveProperty('content-type');
  expect(response.headers).not.toHaveProperty('content-length');
});

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['another tag', '"zz"'],
  ['the tag without quotes', 'a1,b2'],
  ['the tag in another case', '"A1,B2"'],
  ['a part of the tag', '"a1"'],
  ['tags that contain the tag between them', `"x"a1,b2"y"`],
  ['a tag that is not closed', '"a1,b2'],
  ['a wildcard among others', '"zz", *'],
  ['a quoted wildcard', '"*"'],
])('returns the full response for %s', async (_name, ifNoneMatch) => {
  const response = await requestWith(ifNoneMatch);
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ fresh: true });
});

test('matches a weak tag in its strong and weak spelling', async () => {
  const statuses = [];
  for (const ifNoneMatch of ['"v7"', 'W/"v7"', '"v8"'])
    statuses.push((await requestWith(ifNoneMatch, 'W/"v7"')).statusCode);
  expect(statuses).toEqual([304, 304, 200]);
});

test('derives the tag from the content', () => {
  expect(etagOfContent('{"steps":1}')).toMatch(/^"[\w-]{43}"$/);
  expect(etagOfContent('{"steps":1}')).toBe(etagOfContent('{"steps":1}'));
  expect(etagOfContent('{"steps":1}')).not.toBe(etagOfContent('{"steps":2}'));
});
