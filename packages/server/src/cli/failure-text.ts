const words: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
};

/** Describes why a request failed. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'response timed out';
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  if (cause.message.includes('Invalid EOF state')) return 'connection lost'; // disconnected in the middle of a chunk; the error has no code
  return words[cause.code ?? ''] ?? (cause.message || cause.code || error.message);
}
