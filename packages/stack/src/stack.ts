import { resolve } from 'node:path';
import type { Binaries } from './engines/binaries.ts';
import { renderUnexpectedExit, type Supervision, type UnexpectedExit } from './processes/child.ts';
import { ensureDemoAccount, migrate, refreshDemoAccount } from './service/demo-account.ts';
import { assertSecretsExist } from './engines/postgres-cluster.ts';
import {
  enginesToStart,
  findEngineBinaries,
  launchEngines,
  type Engines,
  type ExistingEngines,
} from './engines/engines.ts';
import { StackError } from './errors.ts';
import { openFolder, openTemporaryFolder, removeFolder } from './folder.ts';
import { startGuard } from './processes/guard.ts';
import { assertNotRunning, takeLock } from './processes/lock.ts';
import { rotateLogs } from './processes/log-file.ts';
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
} from './service/nodes.ts';
import {
  assertPortsFree,
  DEFAULT_API_PORT,
  ephemeralPorts,
  fixedPorts,
  type PortNeed,
  type PortPlan,
} from './ports/port-plan.ts';
import { trackStep, type OnProgress } from './cli/progress.ts';
import { saveCommandEnvironment, ensureEngineSecrets, type DemoAccount } from './service/secrets.ts';
import { stackInfo, type StackInfo } from './service/stack-info.ts';
import { copyTemplate } from './engines/template.ts';
import { together } from './processes/together.ts';

const ENGINE_TITLES = { postgres: 'PostgreSQL', nats: 'NATS', redis: 'Redis' };

export interface StartStackOptions {
  /** Uses a temporary folder instead of `dir`, and free ports. Everything is removed at the end. */
  ephemeral?: boolean;
  /** Folder for data, keys and logs. Defaults to `.tributary` in the current folder. */
  dir?: string;
  nodes?: number;
  /** The processes to run, one per role, instead of the usual ones for `nodes`. The API comes first. */
  roles?: readonly Role[];
  port?: number;
  /** Additional environment variables for the processes of the service. */
  env?: NodeJS.ProcessEnv;
  /** The main file of the server, to run another copy than the one next to this package. */
  program?: string | undefined;
  /** Whether `program` is of another version, whose commands may lack newer options. */
  isOtherVersion?: boolean;
  existing?: ExistingEngines;
  /** A folder created by `ensureTemplate`. An ephemeral stack starts from it instead of initializing and migrating a database. */
  template?: string | undefined;
  onProgress?: OnProgress;
  /** Called when a process exits unexpectedly. */
  onUnexpectedExit?: (exit: UnexpectedExit) => void;
  /** Aborting it cancels the start. */
  signal?: AbortSignal;
  /** Aborting it kills the processes instead of waiting for them. */
  hurry?: AbortSignal;
}

/** The whole service, running on this machine. */
export interface Stack extends AsyncDisposable {
  readonly info: StackInfo;
  readonly dir: string;
  readonly engines: Engines;
  readonly nodes: readonly StackNode[];
  /** The key with which the service encrypts stored secrets. */
  readonly encryptionKeys: string;
  /** Simulates providers for the sandbox. Null with another copy of the server, which may not support it. */
  readonly lab: StackLab | null;
  stop(): Promise<void>;
}

/** Starts the engines and the service, and resolves once the service is ready. */
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
  const { env = {}, program, isOtherVersion } = options;
  const isMigrated = template !== undefined;
  const start = { binaries, ports, plans, existing, onProgress, env, program, isOtherVersion, isMigrated };
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
    if (existing.databaseUrl === undefined) assertSecretsExist(dir);
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
    { port: smtp, use: 'SMTP' },
    { port: mail, use: 'the local inbox' },
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
  isOtherVersion: boolean | undefined;
  isMigrated: boolean;
}

async function launch(
  supervision: Supervision,
  cleanup: AsyncDisposableStack,
  { binaries, ports, plans, existing, onProgress, env, program, isOtherVersion, isMigrated }: StartPlan,
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
    isOtherVersion,
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
  if (account === undefined || first === undefined)
    throw new Error('unreachable: every step has been awaited');
  account = await refreshDemoAccount(supervision, settings, first.baseUrl, account);
  const info = stackInfo({ engines, mail, lab, nodes, account, env });
  const encryptionKeys = env['ENCRYPTION_KEYS'] ?? secrets.encryption_keys;
  return { engines, nodes, lab, info, encryptionKeys };
}
