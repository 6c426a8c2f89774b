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

  constructor(source: Environment) {
    this.#source = source;
  }

  optional(name: string): string | undefined {
    const value = this.#source[name]?.trim();
    return value === '' ? undefined : value;
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
    return (this.optional(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
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
