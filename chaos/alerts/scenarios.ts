import type { RunStack } from '@tributary/rig';

/** A failure, and the alert that it should fire. */
export interface Scenario {
  name: string;
  /** The name of the alert, with the role if it has one. */
  alert: string;
  fail: (running: RunStack) => void | Promise<void>;
  repair: (running: RunStack) => void | Promise<void>;
  /** Whether the short form includes it. */
  isShort: boolean;
}

type EngineName = 'postgres' | 'nats' | 'redis';

function killEngine(engine: EngineName, alert: string, isShort: boolean): Scenario {
  return {
    name: `${engine} is killed`,
    alert,
    isShort,
    fail: ({ stack }) => stack.engines[engine].signal('SIGKILL'),
    repair: ({ stack }) => stack.engines[engine].start(),
  };
}

/** Kills all processes of a role. */
function killRole(role: string, isShort: boolean): Scenario {
  const nodesOf = ({ stack }: RunStack) => stack.nodes.filter((node) => node.role === role);
  return {
    name: `every process of the role ${role} is killed`,
    alert: `RoleMissing ${role}`,
    isShort,
    fail(running) {
      for (const node of nodesOf(running)) node.signal('SIGKILL');
    },
    async repair(running) {
      for (const node of nodesOf(running)) await node.start();
    },
  };
}

/** Opened by one scenario, closed by its repair. */
let openTransaction: { query: (text: string) => Promise<unknown>; release: () => void } | null = null;

const scenarios: readonly Scenario[] = [
  killEngine('postgres', 'DatabaseUnavailable', true),
  killEngine('nats', 'NatsUnavailable', false),
  killEngine('redis', 'RedisUnavailable', false),
  killRole('jobs', true),
  killRole('api', false),
  killRole('ingest', false),
  killRole('keeper', false),
  {
    name: 'one of two API processes is paused',
    alert: 'InstanceDown',
    isShort: false,
    fail: ({ api }) => api[1]!.signal('SIGSTOP'),
    repair: ({ api }) => api[1]!.signal('SIGCONT'),
  },
  {
    name: 'a transaction stays open',
    alert: 'EventsDelayed',
    isShort: false,
    async fail({ admin, stack }) {
      openTransaction = await admin.connect();
      await openTransaction.query('BEGIN');
      await openTransaction.query('SELECT pg_current_xact_id()');
      await createUser(stack.info.sandbox_key, stack.nodes[0]!.baseUrl);
    },
    async repair() {
      await openTransaction?.query('ROLLBACK');
      openTransaction?.release();
    },
  },
];

export function chooseScenarios(isShort: boolean): readonly Scenario[] {
  return scenarios.filter((scenario) => !isShort || scenario.isShort);
}

/** A simulated user with data, whose processing emits events. */
async function createUser(key: string, url: string): Promise<void> {
  const response = await fetch(`${url}/v1/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ external_ref: `waits-${Date.now()}`, sandbox: { archetype: 'office_worker' } }),
  });
  if (response.status !== 201) throw new Error(`Creating a user failed: ${response.status}.`);
}
