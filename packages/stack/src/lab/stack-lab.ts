import { fileURLToPath } from 'node:url';
import type { Supervision } from '../processes/child.ts';
import { addressIn, engineEnvironment } from '../engines/engine.ts';
import { StackError } from '../errors.ts';
import { createService, type Service } from '../service/service.ts';

const LAB = fileURLToPath(new URL('../../../lab/src/cli.ts', import.meta.url));
const CLIENT_ID = 'lab-app';

/** What the lab needs to know about the service: its redirect URL, and a push URL for each provider. */
interface Introduction {
  redirectUris: readonly string[];
  pushUrls: Readonly<Record<string, string>>;
}

/** The lab that simulates providers for the sandbox. It loses all state when it stops, so the service is registered again on each start. */
export interface StackLab extends Service {
  readonly url: string;
  /** Its URL, for display. */
  readonly detail: string;
  /** Registers the service with the lab, now and on every later start. */
  introduce: (introduction: Introduction) => Promise<void>;
}

/** A lab to start, or one that is already running. */
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
    isReady: () => isResponding(url),
    readyTimeoutMs: 60_000,
    graceMs: 2000,
  });
  return introduced(service, url, addressIn(url));
}

/** Represents a lab that runs elsewhere. It is used but never stopped. */
function existingLab(labUrl: string): StackLab {
  const url = labUrl.replace(/\/$/, '');
  const name = 'lab';
  const start = async (): Promise<void> => {
    if (!(await isResponding(url)))
      throw new StackError(
        `No lab responds at ${labUrl}, the address in LAB_URL. Start it with npm run lab, or unset LAB_URL.`,
      );
  };
  const signal = (): never => {
    throw new StackError(`This stack does not run the lab at ${addressIn(url)}.`);
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
  const body = await response.text();
  if (!response.ok) throw new StackError(`The lab at ${url} rejected the app: ${response.status} ${body}`);
}

async function isResponding(url: string): Promise<boolean> {
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
