import { createConnection } from 'node:net';

/** Connects, sends a greeting, and returns whether the response starts as expected. */
export function probe(port: number, greeting: string, expected: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1', timeout: 1000 });
    const finish = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => socket.write(greeting));
    socket.once('data', (data) => finish(data.toString('latin1').startsWith(expected)));
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
    socket.once('close', () => finish(false));
  });
}
