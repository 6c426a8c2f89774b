/** The methods of every path, for requests that no route matches: the router finds routes only by path and method together. */
export class MethodTable {
  readonly #patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  /** Adds a route by its pattern, such as `/v1/users/:id`. Routes for all paths below one are left out: they do not show that a path exists. */
  add(url: string, methods: readonly string[]): void {
    if (url.includes('*')) return;
    const row = this.#patterns.get(url) ?? { pattern: toPattern(url), methods: new Set() };
    for (const method of methods) row.methods.add(method);
    this.#patterns.set(url, row);
  }

  /** The methods that a path supports, in alphabetical order; empty for an unknown path. */
  allowedAt(url: string): string[] {
    const allowed = this.#methodsAt(url);
    if (allowed.has('GET')) allowed.add('HEAD');
    return [...allowed].toSorted();
  }

  /** Whether the handler of GET serves HEAD: not where HEAD has its own, and not where there is no GET. */
  isHeadServedAsGet(url: string): boolean {
    const methods = this.#methodsAt(url);
    return methods.size === 0 || (methods.has('GET') && !methods.has('HEAD'));
  }

  #methodsAt(url: string): Set<string> {
    const [path = ''] = url.split('?', 1);
    const supported = new Set<string>();
    for (const { pattern, methods } of this.#patterns.values())
      if (pattern.test(path)) for (const method of methods) supported.add(method);
    return supported;
  }
}

function toPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)))
    .join('/');
  return new RegExp(`^${source}$`);
}
