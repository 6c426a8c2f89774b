/** Why a connection to NATS or Redis failed. */
export interface ConnectionFailure {
  /** For readiness, which is public: names no host, user or certificate. */
  kind: 'credentials rejected' | 'certificate rejected' | 'not connected';
  /** For the log. */
  reason: string;
}

export interface ConnectionObserver {
  /** Called once for each reason of an outage. */
  unavailable(failure: ConnectionFailure): void;
  /** Called when the connection works after a failure. */
  available(): void;
}

/** The words with which NATS and Redis reject credentials. Redis closes no connection for them, NATS does. */
const rejected = /authori[sz]ation|authentication|wrongpass|noauth|noperm|account.*(expired|missing)/i;
const ofCertificates =
  /certificate|self[- _]signed|^CERT_|ERR_TLS|ERR_SSL|EPROTO|unable to (get|verify)|tls/i;
const longest = 300;

export function describeFailure(error: unknown): ConnectionFailure {
  const { code, message } = innermost(error);
  const text = (message || code || 'unknown error').split('\n', 1)[0]!.slice(0, longest);
  const reason = code !== undefined && !text.includes(code) ? `${text} (${code})` : text;
  if (ofCertificates.test(code ?? '') || ofCertificates.test(text))
    return { kind: 'certificate rejected', reason };
  return { kind: rejected.test(text) ? 'credentials rejected' : 'not connected', reason };
}

/** Clients wrap the error of the socket, which says more. */
function innermost(error: unknown): { code: string | undefined; message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) };
  const { cause } = error;
  const inner = error instanceof AggregateError ? error.errors[0] : cause;
  if (inner instanceof Error) return innermost(inner);
  return { code: (error as NodeJS.ErrnoException).code, message: error.message };
}
