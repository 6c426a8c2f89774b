import { errors } from 'undici';

/** Why a request got no response. */
export type OutboundReason =
  | 'invalid_url'
  | 'address_not_allowed'
  | 'name_not_found'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'response_too_large'
  | 'response_invalid'
  | 'stopped';

/** A request that got no response. The message is safe to show to a customer: it contains no addresses or names except theirs. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const notFoundCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** Converts a failed lookup to an OutboundError. */
export function nameFailure(cause: unknown): OutboundError {
  const message = notFoundCodes.has(codeOf(cause))
    ? 'The host name was not found.'
    : 'The host name could not be resolved.';
  return new OutboundError('name_not_found', message, { cause });
}

const connectionMessages: Record<string, string> = {
  ECONNREFUSED: 'The host refused the connection.',
  ENETUNREACH: 'The host is unreachable.',
  EHOSTUNREACH: 'The host is unreachable.',
};

/** Converts an error while connecting to an OutboundError. */
export function connectFailure(cause: unknown): OutboundError {
  const message = connectionMessages[codeOf(cause)] ?? 'Could not connect to the host.';
  return new OutboundError('connection_failed', message, { cause });
}

const tlsMessages: Record<string, string> = {
  CERT_HAS_EXPIRED: "The host's certificate has expired.",
  CERT_NOT_YET_VALID: "The host's certificate is not valid yet.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The host's certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The host's certificate was issued by an untrusted authority.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "The host's certificate cannot be verified: an intermediate certificate is missing.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "The host's certificate cannot be verified: an intermediate certificate is missing, or the authority is not trusted.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The host's certificate is for a different name.",
};

/** Converts an error during the TLS handshake to an OutboundError. */
export function tlsFailure(cause: unknown): OutboundError {
  const message = tlsMessages[codeOf(cause)] ?? 'The host did not complete the TLS handshake.';
  return new OutboundError('tls_failed', message, { cause });
}

/** Converts an error of a request to an OutboundError. A mistake in how we called the client is returned unchanged. */
export function requestFailure(cause: unknown): unknown {
  if (cause instanceof OutboundError) return cause;
  const code = codeOf(cause);
  if (code === 'UND_ERR_INVALID_ARG') return cause;
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new OutboundError('response_too_large', 'The response headers are larger than 16 KiB.', {
      cause,
    });
  if (cause instanceof errors.HTTPParserError)
    return new OutboundError('response_invalid', 'The response is not valid HTTP/1.1.', { cause });
  return new OutboundError('connection_failed', 'The connection closed before the response was complete.', {
    cause,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
