import type { DescribedOperation } from '@tributary/server/testing/openapi';
import { bodyOf, targetOf, type FuzzResponse, type FuzzRequest } from './request.ts';

const mostShown = 15;
const leastSuccess = 0.25;

/** Counts responses, prints those that are wrong, and checks that the run was varied enough. */
export class Report {
  readonly #operations: DescribedOperation[];
  readonly #counts = new Map<string, Map<number, number>>();
  readonly #problems = new Map<string, { times: number; example: string }>();
  readonly #twists = new Map<string, number>();
  #responseCount = 0;
  #successes = 0;
  #raw = 0;

  constructor(operations: DescribedOperation[]) {
    this.#operations = operations;
  }

  get failed(): boolean {
    return this.#problems.size > 0;
  }

  add(index: number, request: FuzzRequest, response: FuzzResponse, problem: string | null): void {
    const name = request.operationId ?? '(no operation)';
    const statuses = this.#counts.get(name) ?? new Map<number, number>();
    this.#counts.set(name, statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1));
    this.#twists.set(request.twist, (this.#twists.get(request.twist) ?? 0) + 1);
    this.#responseCount += 1;
    if (response.status >= 200 && response.status < 300) this.#successes += 1;
    if (problem) this.#note(`${name}: ${problem} [${request.twist}]`, `#${index} ${show(request, response)}`);
  }

  addRaw(index: number, name: string, bytes: Buffer, response: string, problem: string | null): void {
    this.#raw += 1;
    if (!problem) return;
    this.#note(
      `bytes: ${problem} [${name}]`,
      `#${index} ${shorten(JSON.stringify(bytes.toString('latin1')))}\n      → ${shorten(JSON.stringify(response))}`,
    );
  }

  /** Adds a problem that belongs to no request. */
  fail(problem: string): void {
    this.#note(problem, '');
  }

  print(seconds: number): void {
    const rows = [...this.#counts].sort(([a], [b]) => a.localeCompare(b));
    for (const [name, statuses] of rows) {
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}×${times}`);
      console.log(`  ${name.padEnd(24)} ${counts.join('  ')}`);
    }
    const share = ((100 * this.#successes) / Math.max(1, this.#responseCount)).toFixed(1);
    console.log(
      `${this.#responseCount} requests and ${this.#raw} raw sockets in ${seconds.toFixed(1)} s; ${share}% succeeded; ${this.#twists.size} mutations`,
    );
    for (const [problem, { times, example }] of [...this.#problems].slice(0, mostShown)) {
      console.error(`\n✗ ${problem}, ${times}×\n    ${example}`);
    }
    if (this.#problems.size > mostShown)
      console.error(`\nand ${this.#problems.size - mostShown} more kinds of problems`);
  }

  /** A run of rejections proves little: every operation must have succeeded, and so must a quarter of all requests. */
  requireVariety(): void {
    const unseen = this.#operations.filter(({ operation }) => {
      const seen = [...(this.#counts.get(operation.operationId)?.keys() ?? [])];
      return !seen.some((status) => status >= 200 && status < 300);
    });
    for (const { operation } of unseen) this.#complain(`${operation.operationId} never succeeded`);
    if (this.#successes < leastSuccess * this.#responseCount)
      this.#complain('fewer than 25% of the requests succeeded');
  }

  #complain(problem: string): void {
    console.error(`✗ ${problem}`);
    this.fail(problem);
  }

  #note(problem: string, example: string): void {
    const known = this.#problems.get(problem);
    if (known) known.times += 1;
    else this.#problems.set(problem, { times: 1, example });
  }
}

/** Formats a request and its response, shortened. */
export function show(request: FuzzRequest, response: FuzzResponse): string {
  const body = bodyOf(request);
  return [
    `${request.method} ${shorten(targetOf(request))}`,
    shorten(JSON.stringify(request.headers)),
    ...(body === undefined ? [] : [shorten(JSON.stringify(body.toString()))]),
    `→ ${response.status} ${shorten(response.body)}`,
  ].join('\n      ');
}

function shorten(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
}
