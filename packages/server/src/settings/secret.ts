import { readSecretFile } from './secret-file.ts';

/** A secret setting. The file of a secret is read again on each use, so that operators can rotate it without a restart. */
export class Secret {
  readonly setting: string;
  readonly #file: string | null;
  #last: string;

  constructor(setting: string, value: string, file: string | null = null) {
    this.setting = setting;
    this.#last = value;
    this.#file = file;
  }

  /** The current value. While the file cannot be read, the previous value remains in use. */
  read(): string {
    if (this.#file === null) return this.#last;
    try {
      this.#last = readSecretFile(this.#file);
    } catch {
      // The file may be missing while it is replaced.
    }
    return this.#last;
  }
}
