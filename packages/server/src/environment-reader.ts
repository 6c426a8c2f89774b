import { readSecretFile } from './settings/secret-file.ts';
import { Secret } from './settings/secret.ts';

/** Thrown for an invalid environment; the message names every problem. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Variables by name. */
export type Environment = Record<string, string | undefined>;

/** Collects every problem before failing, so that an operator can fix all of them at once. */
export class EnvironmentReader {
  readonly #source: Environment;
  readonly #problems: string[] = [];
  readonly #secrets = new Map<string, Secret | undefined>();

  constructor(source: Environment) {
    this.#source = source;
  }

  optional(name: string): string | undefined {
    const value = this.#source[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** Whether a value or a file is set for a secret. */
  isSet(name: string): boolean {
    return this.optional(name) !== undefined || this.optional(`${name}_FILE`) !== undefined;
  }

  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined) this.problem(`${name} is missing`);
    return value ?? '';
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback;
  }

  list(name: string): string[] {
    return splitList(this.optional(name) ?? '');
  }

  /** A secret from the variable, or from the file that the variable `<name>_FILE` names. */
  secret(name: string): Secret | undefined {
    if (!this.#secrets.has(name)) this.#secrets.set(name, this.#readSecret(name));
    return this.#secrets.get(name);
  }

  requiredSecret(name: string): Secret {
    const secret = this.secret(name);
    if (!this.isSet(name)) this.problem(`${name} is missing`);
    return secret ?? new Secret(name, '');
  }

  secretList(name: string): string[] {
    return splitList(this.secret(name)?.read() ?? '');
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const raw = this.optional(name);
    if (raw === undefined) return fallback;
    const value = Number(raw);
    if (!Number.isInteger(value) || value < min || value > max) {
      this.problem(`${name} must be a whole number from ${min} to ${max}`);
    }
    return value;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.word(name, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
  }

  word<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.optional(name) ?? fallback;
    const match = allowed.find((word) => word === value);
    if (match === undefined) this.problem(`${name} must be one of ${allowed.join(', ')}`);
    return match ?? fallback;
  }

  #readSecret(name: string): Secret | undefined {
    const value = this.optional(name);
    const file = this.optional(`${name}_FILE`);
    if (file === undefined) return value === undefined ? undefined : new Secret(name, value);
    if (value !== undefined) this.problem(`${name} and ${name}_FILE are both set: remove one of them`);
    try {
      return new Secret(name, readSecretFile(file), file);
    } catch (error) {
      this.problem(`${name}_FILE ${(error as Error).message}`);
      return undefined;
    }
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  throwProblems(): void {
    if (this.#problems.length === 0) return;
    throw new ConfigError(
      `Invalid configuration:\n${this.#problems.map((text) => `  - ${text}`).join('\n')}`,
    );
  }
}

function splitList(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
