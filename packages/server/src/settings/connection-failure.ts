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

/** Codes of a host that cannot be reached. Their messages contain its name, which may contain one of the words below. */
const ofNetwork = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE)/;
const ofCertificates =
  /certificate|self[- _]signed|\b(CERT|ERR_TLS|ERR_SSL)_|EPROTO|unable to (get|verify)|\b(ssl|tls)\b/i;
/** The words with which NATS and Redis reject credentials. */
const ofCredentials = /authorization|authentication|wrongpass|noauth|noperm|account.*(expired|missing)/i;
const longest = 300;

export function describeFailure(error: unknown): ConnectionFailure {
  const { code = '', message } = innermost(error);
  const text = (message || code || 'unknown error').split('\n', 1)[0]!.slice(0, longest);
  const reason = text.includes(code) ? text : `${text} (${code})`;
  return { kind: classify(code, text), reason };
}

function classify(code: string, text: string): ConnectionFailure['kind'] {
  if (ofNetwork.test(code)) return 'not connected';
  if (ofCertificates.test(code) || ofCertificates.test(text)) return 'certificate rejected';
  return ofCredentials.test(text) ? 'credentials rejected' : 'not connected';
}

/** Clients wrap the error of the socket, which says more. */
function innermost(error: unknown): { code: string | undefined; message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) };
  const { cause } = error;
  const inner = error instanceof AggregateError ? error.errors[0] : cause;
  if (inner instanceof Error) return innermost(inner);
  return { code: (error as NodeJS.ErrnoException).code, message: error.message };
}
