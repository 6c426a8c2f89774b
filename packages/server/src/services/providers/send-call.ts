import { ProviderFailure, type ProviderResponse, type Call, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';

/** Less than the transaction timeout, because a refresh keeps a transaction open. */
const timeoutMs = 20_000;
const mostResponseBytes = 32 * 1024 * 1024;

/** Sends a call as is. Throws `ProviderFailure` if there is no response or the response is an error. */
export async function sendCall(
  { outbound, clock }: Pick<Context, 'outbound' | 'clock'>,
  provider: Provider,
  call: Call,
  { bearer, signal }: { bearer?: string; signal?: AbortSignal } = {},
): Promise<ProviderResponse> {
  const response = await exchange(outbound, call, bearer, signal);
  const failure = provider.failureOf(response, clock.now());
  if (failure) throw failure;
  return response;
}

async function exchange(
  outbound: Context['outbound'],
  call: Call,
  bearer: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ProviderResponse> {
  const { body, type } = bodyOf(call);
  try {
    const response = await outbound.send({
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
      maxResponseBytes: mostResponseBytes,
      ...(signal && { signal }),
    });
    if (response.isTruncated) throw new ProviderFailure('refused', 'the response is too large');
    const headers = Object.entries(response.headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]);
    return { status: response.status, headers: Object.fromEntries(headers), body: response.body.toString() };
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
