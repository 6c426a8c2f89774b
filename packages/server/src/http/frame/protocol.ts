import { ApiError } from '@tributary/contract';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { renderError } from './errors.ts';
import type { MethodTable } from './method-table.ts';

/** Rejects invalid requests early: Node would do so with an empty body, the framework after reading the whole body. */
export function installProtocol(app: FastifyInstance, methods: MethodTable): void {
  app.addHook('onRoute', ({ url, method }) => methods.add(url, [method].flat()));
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) {
      const allowed = methods.allowedAt(request.url);
      if (allowed.length === 0) return done(new ApiError('not_found'));
      reply.header('Allow', allowed.join(', '));
      const methodsText = allowed.map((method) => `\`${method}\``).join(', ');
      const message = `\`${request.method}\` is not supported here. Supported methods: ${methodsText}.`;
      return done(new ApiError('method_not_allowed', { message }));
    }
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
      return done(new ApiError('invalid_request', { message: 'HTTP/1.1 requires a `Host` header.' }));
    }
    done();
  });
  // Unknown expectations may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
}

/** Returns a JSON error for malformed HTTP while the socket is writable. */
export function respondToClientErrors(nextRequestId: () => string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const [status, message] = describeFailure(error.code);
    const requestId = nextRequestId();
    const body = renderError(new ApiError('invalid_request', { message }), requestId);
    const head = [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Request-Id: ${requestId}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}

function describeFailure(code: string | undefined): [status: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'The request headers are too large.'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['408 Request Timeout', 'The request headers did not arrive in time.'];
  return ['400 Bad Request', 'This is not a valid HTTP request.'];
}
