import type { Attack } from './hostile-socket.ts';

const jsonType = 'Content-Type: application/json';
const formType = 'Content-Type: application/x-www-form-urlencoded';
const pieceBytes = 16_384;
const piece = Buffer.alloc(pieceBytes, 0x20);
const pushBytes = 16 * 1024 * 1024;
const uploadBytes = 8 * 1024 * 1024;

/** A push to a URL that does not exist, whose body never arrives. */
export const unfinishedPush: Attack = {
  head: post('/push/live/oura/x', 1_000, jsonType),
  first: '{',
  drip: '',
};

const slow = (head: string): Attack => ({ head, first: '{', drip: ' ' });
const large = (head: string): Attack => ({ head, first: piece, drip: piece });

/** Unfinished requests without a valid credential. */
export function anonymousAttacks(publicUrl: string): readonly Attack[] {
  const origin = `Origin: ${publicUrl}`;
  return [
    slow(post('/dashboard/api/sign-in', 4_000, jsonType, origin)),
    slow(post('/v1/sdk/sessions/exchange', 4_000, jsonType)),
    slow(post('/invitations/il_x', 2_000, formType)),
    slow(post('/dashboard/api/sign-in', 8_000, jsonType, origin)),
    slow(post('/v1/sdk/sessions/refresh', 4_000, jsonType)),
    { head: 'GET /healthz HTTP/1.1\r\nHost: x\r\n', first: 'X-First: a', drip: 'a' },
    large(post('/push/live/oura/x', pushBytes, jsonType)),
    large(post('/v1/sdk/batches', uploadBytes, jsonType, 'Authorization: Bearer sdk_x')),
  ];
}

/** An upload with the valid token of a hostile tenant, half of which never arrives. */
export function heldUpload(token: string): Attack {
  const head = post('/v1/sdk/batches', uploadBytes, jsonType, `Authorization: Bearer ${token}`);
  return { head, first: heldBytes, drip: '' };
}

const heldBytes = Buffer.alloc(uploadBytes / 2, 0x20);

function post(path: string, length: number, ...headers: string[]): string {
  return [`POST ${path} HTTP/1.1`, 'Host: x', `Content-Length: ${length}`, ...headers, '', ''].join('\r\n');
}
