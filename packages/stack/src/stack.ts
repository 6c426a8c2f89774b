import { resolve } from 'node:path';
import type { Binaries } from './binaries.ts';
import { renderUnexpectedExit, type Supervision, type UnexpectedExit } from './child.ts';
import { ensureDemoAccount, migrate, refreshDemoAccount } from './demo-account.ts';
import { assertSecretsKept } from './engines/postgres-cluster.ts';
import {
  enginesToStart,
  findEngineBinaries,
  launchEngines,
  type Engines,
  type ExistingEngines,
} from './engines.ts';
import { StackError } from './errors.ts';
import { openFolder, openTemporaryFolder, removeFolder } from './folder.ts';
import { startGuard } from './guard.ts';
import { assertNotRunning, takeLock } from './lock.ts';
import { rotateLogs } from './log-file.ts';
import { introduceService } from './lab/introduce-service.ts';
import { createStackLab, type StackLab } from './lab/stack-lab.ts';
import { startStackMail } from './mail/stack-mail.ts';
import {
  commandEnvironment,
  createNode,
  planNodes,
  planRoles,
  servesApi,
  type NodePlan,
  type Role,
  type ServerSettings,
  type StackNode,
} from './nodes.ts';
import {
  assertPortsFree,
  DEFAULT_API_PORT,
  ephemeralPorts,
  fixedPorts,
  type PortNeed,
  type PortPlan,
} from './port-plan.ts';
import { trackStep, type OnProgress } from './progress.ts';
import { saveCommandEnvironment, ensureEngineSecrets, type DemoAccount } from './secrets.ts';
import { stackInfo, type StackInfo } from './stack-info.ts';
import { copyTemplate } from './template.ts';
import { together } from './together.ts';

const ENGINE_TITLES = { postgres: 'PostgreSQL', nats: 'NATS', redis: 'Redis' };

export interface StartStackOptions {
  /** A temporary folder in place of `dir`, and free ports; all removed at the end. */
  ephemeral?: boolean;
  /** Where data, keys and logs are kept; `.tributary` in the current folder unless given. */
  dir?: string;
  nodes?: number;
  /** Which processes to run, one a role, instead of the usual ones for `nodes`. The API comes first. */
  roles?: readonly Role[];
  port?: number;
  /** More environment for the processes of the service. */
  env?: NodeJS.ProcessEnv;
  /** The main file of the server, to run another copy of it than the one beside this package. */
  program?: string | undefined;
  existing?: ExistingEngines;
  /** A folder made by `ensureTemplate`, from which an ephemeral stack starts instead of initializing and migrating a database. */
  template?: string | undefined;
  onProgress?: OnProgress;
  /** Told when a process ends that nobody asked to end. */
  onUnexpectedExit?: (exit: UnexpectedExit) => void;
  /** Aborting it gives up the start. */
  signal?: AbortSignal;
  /** Aborting it makes the end a matter of force. */
  hurry?: AbortSignal;
}

/** The whole service, running on this machine. */
export interface Stack extends AsyncDisposable {
  readonly info: StackInfo;
  readonly dir: string;
  readonly engines: Engines;
  readonly nodes: readonly StackNode[];
  /** By which the service seals what it stores. */
  readonly encryptionKeys: string;
  /** Plays providers for the sandbox; null beside another copy of the server, which may know of none. */
  readonly lab: StackLab | null;
  stop(): Promise<void>;
}

/** Starts engines and service, and answers once the service is ready. */
export async function startStack(options: StartStackOptions = {}): Promise<Stack> {
  const { ephemeral = false, existing = {}, onProgress = () => {}, onUnexpectedExit = () => {} } = options;
  const plans = options.roles ? planRoles(options.roles) : planNodes(options.nodes ?? 1);
  const wanted = ephemeral ? undefined : resolve(options.dir ?? '.tributary');
  const binaries = await findEngineBinaries(wanted, existing);
  const ports = await reservePorts(options, wanted, plans);

  await using cleanup = new AsyncDisposableStack();
  const guard = cleanup.use(startGuard());
  const dir = wanted === undefined ? await openTemporaryFolder(guard) : await openFolder(wanted);
  if (wanted === undefined) cleanup.defer(() => removeFolder(dir));
  else cleanup.use(await takeLock(dir, `http://127.0.0.1:${ports.api[0]}`, guard));
  rotateLogs(dir);
  const template = ephemeral && existing.databaseUrl === undefined ? options.template : undefined;
  if (template !== undefined) await copyTemplate(template, dir);

  const giveUp = new AbortController();
  let starting = true;
  const supervision: Supervision = {
    dir,
    guard,
    signal: AbortSignal.any([giveUp.signal, ...(options.signal === undefined ? [] : [options.signal])]),
    hurry: options.hurry ?? new AbortController().signal,
    onUnexpectedExit: (exit) => {
      if (starting) giveUp.abort(new StackError(renderUnexpectedExit(exit)));
      onUnexpectedExit(exit);
    },
  };
  const { env = {}, program } = options;
  const isMigrated = template !== undefined;
  const start = { binaries, ports, plans, existing, onProgress, env, program, isMigrated };
  const started = await launch(supervision, cleanup, start, (error) => giveUp.abort(error));

  starting = false;
  const running = cleanup.move();
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= running.disposeAsync());
  return { ...started, dir, stop, [Symbol.asyncDispose]: stop };
}

async function reservePorts(
  options: StartStackOptions,
  dir: string | undefined,
  plans: readonly NodePlan[],
): Promise<PortPlan> {
  const { ephemeral = false, existing = {}, port } = options;
  const counts = { api: plans.filter(servesApi).length, metrics: plans.length };
  const ports = ephemeral ? await ephemeralPorts(port, counts) : fixedPorts(port ?? DEFAULT_API_PORT, counts);
  if (dir !== undefined) {
    await assertNotRunning(dir);
    if (existing.databaseUrl === undefined) assertSecretsKept(dir);
  }
  await assertPortsFree([
    ...ports.api.map((number) => ({ port: number, use: 'the API' })),
    ...ports.metrics.map((number) => ({ port: number, use: 'metrics' })),
    ...enginesToStart(existing).map((name) => ({ port: ports[name], use: ENGINE_TITLES[name] })),
    ...(existing.smtpUrl === undefined ? mailPorts(ports) : []),
    ...(startsLab(options) ? [{ port: ports.lab, use: 'the lab' }] : []),
  ]);
  return ports;
}

function startsLab({ existing = {}, program }: Pick<StartStackOptions, 'existing' | 'program'>): boolean {
  return program === undefined && existing.labUrl === undefined;
}

function mailPorts({ smtp, mail }: PortPlan): PortNeed[] {
  return [
    { port: smtp, use: 'catching mail' },
    { port: mail, use: 'reading mail' },
  ];
}

interface StartPlan {
  binaries: Binaries;
  ports: PortPlan;
  plans: readonly NodePlan[];
  existing: ExistingEngines;
  onProgress: OnProgress;
  env: NodeJS.ProcessEnv;
  program: string | undefined;
  isMigrated: boolean;
}

async function launch(
  supervision: Supervision,
  cleanup: AsyncDisposableStack,
  { binaries, ports, plans, existing, onProgress, env, program, isMigrated }: StartPlan,
  onFailure: (error: unknown) => void,
): Promise<Pick<Stack, 'engines' | 'nodes' | 'lab' | 'info' | 'encryptionKeys'>> {
  const secrets = await ensureEngineSecrets(supervision.dir);
  const options = { binaries, secrets, ports, existing, onProgress, onFailure };
  const lab = program === undefined ? createStackLab(supervision, ports.lab, existing.labUrl) : null;
  if (lab !== null) cleanup.defer(() => lab.stop());
  const labStarted = lab === null ? [] : [trackStep(onProgress, 'Lab', lab.detail, () => lab.start())];
  const enginesStarted = launchEngines(supervision, cleanup, options);
  await together([enginesStarted, ...labStarted], onFailure);
  const engines = await enginesStarted;
  const mail = cleanup.use(await startStackMail(ports, existing.smtpUrl, onProgress));
  const { smtpUrl } = mail;
  const settings: ServerSettings = {
    engines,
    smtpUrl,
    labUrl: lab?.url ?? null,
    encryptionKeys: secrets.encryption_keys,
    ports,
    env,
    program,
  };
  await saveCommandEnvironment(supervision.dir, commandEnvironment(settings));
  if (!isMigrated) await trackStep(onProgress, 'Schema', 'migrated', () => migrate(supervision, settings));

  const nodes = plans.map((plan, index) => createNode(supervision, settings, plan, index));
  cleanup.defer(() =>
    together(
      nodes.map((node) => node.stop()),
      () => {},
    ),
  );
  let account: DemoAccount | undefined;
  const accountReady = trackStep(onProgress, 'Account', 'Demo', async () => {
    account = await ensureDemoAccount(supervision, settings);
  });
  const nodesReady = nodes.map((node) => {
    const address = new URL(servesApi(node) ? node.baseUrl : node.metricsUrl).host;
    return trackStep(onProgress, node.name, address, () => node.start());
  });
  const labReady = lab === null ? [] : [introduceService(supervision, settings, lab)];
  await together([accountReady, ...nodesReady, ...labReady], onFailure);
  const [first] = nodes;
  if (account === undefined || first === undefined) throw new Error('unreachable: all of it was awaited');
  account = await refreshDemoAccount(supervision, settings, first.baseUrl, account);
  const info = stackInfo({ engines, mail, lab, nodes, account, env });
  const encryptionKeys = env['ENCRYPTION_KEYS'] ?? secrets.encryption_keys;
  return { engines, nodes, lab, info, encryptionKeys };
}
