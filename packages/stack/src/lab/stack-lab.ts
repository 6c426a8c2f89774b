import { fileURLToPath } from 'node:url';
import type { Supervision } from '../child.ts';
import { addressIn, engineEnvironment } from '../engines/engine.ts';
import { StackError } from '../errors.ts';
import { createService, type Service } from '../service.ts';

const LAB = fileURLToPath(new URL('../../../lab/src/cli.ts', import.meta.url));
const CLIENT_ID = 'lab-app';

/** What the lab has to know of the service: where people come back to, and where each provider pushes to. */
interface Introduction {
  redirectUris: readonly string[];
  pushUrls: Readonly<Record<string, string>>;
}

/** The lab that plays providers for the sandbox. It forgets everything when it ends, and is told again when it starts. */
export interface StackLab extends Service {
  readonly url: string;
  /** Where it is, for people. */
  readonly detail: string;
  /** Tells the lab of the service, now and at every start from now on. */
  introduce: (introduction: Introduction) => Promise<void>;
}

/** A lab that is to be started, or the one that is there already. */
export function createStackLab(
  supervision: Supervision,
  port: number,
  existing: string | undefined,
): StackLab {
  return existing === undefined ? createLab(supervision, port) : existingLab(existing);
}

function createLab(supervision: Supervision, port: number): StackLab {
  const url = `http://127.0.0.1:${port}`;
  const service = createService(supervision, {
    launch: {
      name: 'lab',
      command: process.execPath,
      args: [LAB, '--port', String(port), '--json'],
      env: engineEnvironment({ NODE_NO_WARNINGS: '1' }),
    },
    isReady: () => answers(url),
    readyTimeoutMs: 60_000,
    graceMs: 2000,
  });
  return introduced(service, url, addressIn(url));
}

/** Stands for a lab that somebody else runs: it is used, and otherwise left alone. */
function existingLab(given: string): StackLab {
  const url = given.replace(/\/$/, '');
  const name = 'lab';
  const start = async (): Promise<void> => {
    if (!(await answers(url)))
      throw new StackError(
        `No lab answers at ${given}, which LAB_URL names. Start it with npm run lab, or unset LAB_URL.`,
      );
  };
  const signal = (): never => {
    throw new StackError(`The lab at ${addressIn(url)} is not run by this stack.`);
  };
  return introduced(
    { name, pid: undefined, start, stop: async () => {}, signal },
    url,
    `existing, ${addressIn(url)}`,
  );
}

function introduced(service: Service, url: string, detail: string): StackLab {
  let known: Introduction | undefined;
  return {
    name: service.name,
    url,
    detail,
    get pid() {
      return service.pid;
    },
    stop: service.stop,
    signal: service.signal,
    async start() {
      await service.start();
      if (known !== undefined) await register(url, known);
    },
    async introduce(introduction) {
      known = introduction;
      await register(url, introduction);
    },
  };
}

async function register(url: string, { redirectUris, pushUrls }: Introduction): Promise<void> {
  const response = await fetch(`${url}/lab/apps`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ client_id: CLIENT_ID, redirect_uris: redirectUris, push_urls: pushUrls }),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = await response.text();
  if (!response.ok)
    throw new StackError(`The lab at ${url} did not take the app: ${response.status} ${answer}`);
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/lab/status`, {
      signal: AbortSignal.timeout(2000),
      headers: { connection: 'close' },
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
