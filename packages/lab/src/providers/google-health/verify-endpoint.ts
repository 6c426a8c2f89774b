import { GoogleRefusal } from './refusal.ts';

const responseTimeoutMs = 10_000;

/** The endpoint must accept a request with the secret and reject one without it. How Google reports a failure is unknown. */
export async function verifyEndpoint(endpointUri: string, secret: string): Promise<void> {
  const known = await requestVerification(endpointUri, { authorization: secret });
  // The documentation requires 201, but 200 works as well.
  if (known !== 201 && known !== 200)
    throw new GoogleRefusal(
      400,
      `The endpoint returned ${known} for a request with the secret. It must return 201.`,
    );
  const unknown = await requestVerification(endpointUri, {});
  if (unknown !== 401 && unknown !== 403)
    throw new GoogleRefusal(
      400,
      `The endpoint returned ${unknown} for a request without the secret. It must return 401 or 403.`,
    );
}

async function requestVerification(
  endpointUri: string,
  headers: Record<string, string>,
): Promise<number | string> {
  try {
    const response = await fetch(endpointUri, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ type: 'verification' }),
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    return response.status;
  } catch {
    return 'nothing';
  }
}
