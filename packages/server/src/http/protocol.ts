import { ApiError } from '@tributary/contract';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { renderError } from './errors.ts';

/** Refuses what needs no look at the rest of the request: Node would do so with an empty body, the framework after reading all of it. */
export function installProtocol(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) return done(new ApiError('not_found'));
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
      return done(new ApiError('invalid_request', { message: 'HTTP/1.1 requires the header Host.' }));
    }
    done();
  });
  // Expectations that nobody knows may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
}

/** What is not even HTTP still gets an answer in our shape, where the socket can take one. */
export function answerClientErrors(nextRequestId: () => string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const body = renderError(
      new ApiError('invalid_request', {
        message: tooLarge ? 'The request headers are too large.' : 'This is not a valid HTTP request.',
      }),
    );
    const head = [
      `HTTP/1.1 ${tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Request-Id: ${nextRequestId()}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}
