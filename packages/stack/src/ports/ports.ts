import { createServer, type Server } from 'node:net';
import { StackError } from '../errors.ts';

// Below the range from which systems pick ports for outgoing connections.
const RANGE_START = 20_000;
const RANGE_END = 32_000;
const BLOCK_SIZE = 50;

interface Block {
  next: number;
  end: number;
}

let block: Block | undefined;

/** Finds a free loopback port. No port is returned twice, not even to two processes at the same time. */
export async function freePort(): Promise<number> {
  for (;;) {
    if (block === undefined || block.next >= block.end) block = await claimBlock();
    const port = block.next++;
    if (await isPortFree(port)) return port;
  }
}

// Listening on the first port of a block until this process ends reserves the rest of it against other processes.
async function claimBlock(): Promise<Block> {
  const blocks = (RANGE_END - RANGE_START) / BLOCK_SIZE;
  const first = Math.floor(Math.random() * blocks);
  for (let index = 0; index < blocks; index++) {
    const start = RANGE_START + ((first + index) % blocks) * BLOCK_SIZE;
    const claim = await listenOn(start);
    claim?.unref();
    if (claim !== null) return { next: start + 1, end: start + BLOCK_SIZE };
  }
  throw new StackError(`No free port between ${RANGE_START} and ${RANGE_END} on 127.0.0.1.`);
}

export async function isPortFree(port: number): Promise<boolean> {
  const server = await listenOn(port);
  if (server === null) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

function listenOn(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });
}
