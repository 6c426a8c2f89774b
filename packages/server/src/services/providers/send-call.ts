import { ProviderFailure, type Answer, type Call, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';

/** Less than the transaction timeout, because a refresh keeps a transaction open. */
const timeoutMs = 20_000;
const mostAnswerBytes = 32 * 1024 * 1024;

/** Sends a call as is. Throws `ProviderFailure` if there is no response or the response is an error. */
export async function sendCall(
  { outbound, clock }: Pick<Context, 'outbound' | 'clock'>,
  provider: Provider,
  call: Call,
  { bearer, signal }: { bearer?: string; signal?: AbortSignal } = {},
): Promise<Answer> {
  const answer = await exchange(outbound, call, bearer, signal);
  const failure = provider.failureOf(answer, clock.now());
  if (failure) throw failure;
  return answer;
}

async function exchange(
  outbound: Context['outbound'],
  call: Call,
  bearer: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { body, type } = bodyOf(call);
  try {
    const answered = await outbound.send({
      method: call.method,
      url: addressOf(call),
      headers: {
        accept: 'application/json',
        ...(type !== null && { 'content-type': type }),
        ...(bearer !== undefined && !call.bare && { authorization: `Bearer ${bearer}` }),
        ...call.headers,
      },
      ...(body !== null && { body }),
      timeoutMs,
      mostAnswerBytes,
      ...(signal && { signal }),
    });
    if (answered.cut) throw new ProviderFailure('refused', 'the response is too large');
    const headers = Object.entries(answered.headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]);
    return { status: answered.status, headers: Object.fromEntries(headers), body: answered.body.toString() };
  } catch (error) {
    if (error instanceof OutboundError)
      throw new ProviderFailure('unavailable', `no response: ${error.reason}`);
    throw error;
  }
}

function addressOf({ url, query = {} }: Call): string {
  const address = new URL(url);
  for (const [name, value] of known(query)) address.searchParams.set(name, value);
  return address.href;
}

function bodyOf({ form, json }: Call): { body: string | null; type: string | null } {
  if (form)
    return { body: new URLSearchParams(known(form)).toString(), type: 'application/x-www-form-urlencoded' };
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  return { body: null, type: null };
}

function known(fields: Readonly<Record<string, string | number | undefined>>): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
}
