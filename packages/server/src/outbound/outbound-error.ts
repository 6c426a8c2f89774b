import { errors } from 'undici';

/** Why a request did not come to an answer. */
export type OutboundReason =
  | 'invalid_url'
  | 'address_not_allowed'
  | 'name_not_found'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'answer_too_large'
  | 'answer_invalid'
  | 'stopped';

/** A request that got no answer. The message is fit for a customer: it shows neither addresses nor names but theirs. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const notFound = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** What a failed look-up means. */
export function nameFailure(cause: unknown): OutboundError {
  const message = notFound.has(codeOf(cause))
    ? 'The name of the host was not found.'
    : 'The name of the host could not be looked up.';
  return new OutboundError('name_not_found', message, { cause });
}

const connectionMessages: Record<string, string> = {
  ECONNREFUSED: 'The host refused the connection.',
  ENETUNREACH: 'The host cannot be reached.',
  EHOSTUNREACH: 'The host cannot be reached.',
};

/** What an error before the connection stood means. */
export function connectFailure(cause: unknown): OutboundError {
  const message = connectionMessages[codeOf(cause)] ?? 'No connection to the host could be made.';
  return new OutboundError('connection_failed', message, { cause });
}

const tlsMessages: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate of the host has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the host is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the host is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the host comes from an authority that is not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate of the host cannot be verified: an intermediate one is missing.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The certificate of the host cannot be verified: an intermediate one is missing, or the authority is not trusted.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the host is for another name.',
};

/** What an error during the handshake means. */
export function tlsFailure(cause: unknown): OutboundError {
  const message = tlsMessages[codeOf(cause)] ?? 'The host did not complete the TLS handshake.';
  return new OutboundError('tls_failed', message, { cause });
}

/** What an error of a request means. One in how we called the client is ours and stays as it is. */
export function requestFailure(cause: unknown): unknown {
  if (cause instanceof OutboundError) return cause;
  const code = codeOf(cause);
  if (code === 'UND_ERR_INVALID_ARG') return cause;
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new OutboundError('answer_too_large', 'The headers of the answer are larger than 16 KiB.', {
      cause,
    });
  if (cause instanceof errors.HTTPParserError)
    return new OutboundError('answer_invalid', 'The answer is not valid HTTP/1.1.', { cause });
  return new OutboundError('connection_failed', 'The connection ended before the answer was whole.', {
    cause,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
