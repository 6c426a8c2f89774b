import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { readOpsAddress } from '../ops-address.ts';

const timeoutMs = 4_000;

/** Whether the service on this machine is ready. Containers run this every few seconds, so it imports little. */
export async function checkHealth(): Promise<void> {
  const { host, port } = readOpsAddress();
  try {
    const request = get({ host, port, path: '/readyz', signal: AbortSignal.timeout(timeoutMs) });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    console.log((await response.toArray()).join(''));
    process.exitCode = response.statusCode === 200 ? 0 : 1;
  } catch (error) {
    console.error(`No response from port ${port}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
