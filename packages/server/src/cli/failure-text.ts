const words: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection cut',
  UND_ERR_SOCKET: 'connection cut',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
  ETIMEDOUT: 'no connection within the time limit',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit',
};

/** Why a request came to nothing, in words. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  if (cause.message.includes('Invalid EOF state')) return 'connection cut'; // in the middle of a piece; it has no code
  return words[cause.code ?? ''] ?? (cause.message || cause.code || error.message);
}
