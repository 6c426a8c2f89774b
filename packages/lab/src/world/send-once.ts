import type { Push } from '../provider.ts';

/** The response of a receiver. The status is missing if there was none. */
export interface PushResponse {
  status: number | null;
  /** The beginning of the body, or the error. */
  response: string;
}

const MAX_RESPONSE_BYTES = 500;

/** Sends a push once, and waits for the response as long as the provider does. */
export async function sendOnce(push: Push, timeoutMs: number, stop: AbortSignal): Promise<PushResponse> {
  try {
    const response = await fetch(push.url, {
      method: push.method,
      headers: push.headers,
      body: push.body,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    });
    return { status: response.status, response: await beginningOf(response) };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return { status: null, response: cause?.code ?? message };
  }
}

async function beginningOf(response: Response): Promise<string> {
  if (!response.body) return '';
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest.
  for await (const piece of response.body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= MAX_RESPONSE_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, MAX_RESPONSE_BYTES).toString('utf8');
}
