import { Agent, request as httpRequest } from 'node:http';
import { bytesOf, isStream, targetOf, type FuzzResponse, type FuzzRequest } from './request.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request unchanged, without the corrections that browsers and fetch make. */
export function send(baseUrl: string, request: FuzzRequest): Promise<FuzzResponse> {
  const { hostname, port } = new URL(baseUrl);
  const body = bytesOf(request);
  return new Promise((resolve, reject) => {
    const headers = { ...request.headers };
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
    const sent = httpRequest({
      agent,
      hostname,
      port,
      method: request.method,
      path: targetOf(request),
      headers,
    });
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      const finish = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString(),
        });
      response.on('data', (part: Buffer) => {
        parts.push(part);
        if (!isStream(response.headers)) return;
        // A stream does not end on its own, so only its start is checked.
        finish();
        sent.destroy();
      });
      response.on('error', reject);
      response.on('end', finish);
    });
    sent.on('error', reject);
    // More time than a busy machine needs. A request that hangs takes longer.
    sent.setTimeout(60_000, () => sent.destroy(new Error('no response within a minute')));
    sent.end(body);
  });
}

export function closeConnections(): void {
  agent.destroy();
}
