import { GoogleRefusal } from './refusal.ts';

const answerWithinMs = 10_000;

/** The receiver has to take what brings the secret, and to refuse what does not. How Google says that it failed is not known. */
export async function verifyEndpoint(endpointUri: string, secret: string): Promise<void> {
  const known = await ask(endpointUri, { authorization: secret });
  // 201 is what is asked for; 200 works as well.
  if (known !== 201 && known !== 200)
    throw new GoogleRefusal(400, `The endpoint answered ${known} to the secret: answer 201.`);
  const unknown = await ask(endpointUri, {});
  if (unknown !== 401 && unknown !== 403)
    throw new GoogleRefusal(400, `The endpoint answered ${unknown} without the secret: answer 401 or 403.`);
}

async function ask(endpointUri: string, headers: Record<string, string>): Promise<number | string> {
  try {
    const response = await fetch(endpointUri, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ type: 'verification' }),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return response.status;
  } catch {
    return 'nothing';
  }
}
