import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

// cSpell:ignore Rootfs
const run = promisify(execFile);
const podman = join(import.meta.dirname, 'podman');
const maxBuffer = 64 * 1024 * 1024;

/** What podman-compose does not support: CNI networks without a route to the internet have no names. */
const differences = 'networks:\n  engines:\n    internal: false\n';

/** The services that the check starts. Images of the others cannot be built from Debian packages. */
export const engines = ['postgres', 'nats', 'valkey'] as const;
export const roles = ['api', 'ingest', 'jobs', 'keeper'] as const;
export const services = [...engines, 'migrate', ...roles, 'caddy'] as const;
export type ServiceName = (typeof services)[number];

/** What is known of a running container. */
export interface Container {
  Config: { User: string; Env: string[] };
  HostConfig: {
    ReadonlyRootfs: boolean;
    Memory: number;
    PidsLimit: number;
    SecurityOpt: string[];
    RestartPolicy: { Name: string };
    PortBindings: Record<string, unknown> | null;
  };
  EffectiveCaps: string[] | null;
  State: { Status: string; ExitCode: number };
  RestartCount: number;
}

/** An installation in a folder, run by podman-compose. */
export class Project {
  readonly folder: string;
  readonly name: string;

  constructor(folder: string, name: string) {
    this.folder = folder;
    this.name = name;
  }

  /** Creates the installation with the image itself, as operators do. */
  async init(image: string, publicUrl: string): Promise<string> {
    return this.#podman(
      'run',
      '--rm',
      '--user=0:0',
      `--volume=${this.folder}:/installation`,
      image,
      'init',
      '/installation',
      `--public-url=${publicUrl}`,
      `--image=${image}`,
    );
  }

  /** Replaces settings of compose.yaml. */
  async set(settings: Readonly<Record<string, string>>): Promise<void> {
    const file = join(this.folder, '.env');
    const lines = (await readFile(file, 'utf8')).split('\n').map((line) => {
      const name = line.split('=')[0]!;
      return name in settings ? `${name}=${settings[name]}` : line;
    });
    await writeFile(file, lines.join('\n'));
    await writeFile(join(this.folder, 'check.yaml'), differences);
  }

  async up(): Promise<void> {
    await this.#compose('up', '--detach', '--no-build', ...services);
  }

  async down(): Promise<void> {
    await this.#compose('down', '--timeout', '60');
  }

  /** Runs a command of the service in a container of its own and returns its last line. */
  async tributary(...args: string[]): Promise<string> {
    const output = await this.#compose('run', '--rm', '--no-deps', '-T', 'tributary', ...args);
    const line = output
      .trim()
      .split('\n')
      .findLast((text) => text.startsWith('{'));
    // podman-compose does not pass on the exit code of a command.
    if (line === undefined) throw new Error(`tributary ${args.join(' ')} failed: ${output}`);
    return line;
  }

  async kill(service: ServiceName): Promise<void> {
    await this.#podman('kill', '--signal=KILL', this.#container(service));
    // Like a machine that lost power, without the wait of a restart policy.
    await this.#podman('wait', this.#container(service));
    await this.#podman('start', this.#container(service));
  }

  async exec(service: ServiceName, ...command: string[]): Promise<string> {
    return this.#podman('exec', this.#container(service), ...command);
  }

  async isHealthy(service: ServiceName): Promise<boolean> {
    return this.#podman('healthcheck', 'run', this.#container(service)).then(
      () => true,
      () => false,
    );
  }

  async inspect(service: ServiceName): Promise<Container> {
    return (JSON.parse(await this.#podman('inspect', this.#container(service))) as [Container])[0];
  }

  async log(service: ServiceName): Promise<string> {
    const { stdout, stderr } = await run(podman, ['logs', this.#container(service)], { maxBuffer });
    return stdout + stderr;
  }

  /** The end of a log, for the reader of a failed check. */
  async tail(service: ServiceName): Promise<string> {
    const lines = await this.log(service).catch((error: Error) => error.message);
    return lines.trimEnd().split('\n').slice(-8).join('\n');
  }

  /** Removes containers and networks, but not the folder. */
  async remove(): Promise<void> {
    for (const service of services.toReversed())
      await this.#podman('rm', '--force', '--time=1', this.#container(service)).catch(() => {});
    for (const network of ['engines', 'outside'])
      await this.#podman('network', 'rm', '--force', `${this.name}_${network}`).catch(() => {});
  }

  #container(service: ServiceName): string {
    return `${this.name}_${service}_1`;
  }

  async #compose(...args: string[]): Promise<string> {
    const files = ['--file=compose.yaml', '--file=check.yaml'];
    const { stdout } = await run(
      'podman-compose',
      // Docker adds no writable folders to a read-only root file system.
      [
        `--podman-path=${podman}`,
        '--podman-run-args=--read-only-tmpfs=false',
        `--project-name=${this.name}`,
        ...files,
        ...args,
      ],
      { cwd: this.folder, maxBuffer },
    );
    return stdout;
  }

  async #podman(...args: string[]): Promise<string> {
    const { stdout } = await run(podman, args, { cwd: this.folder, maxBuffer });
    return stdout;
  }
}
