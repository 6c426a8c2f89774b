/** Expected and received mails. */
export class Arrivals {
  /** Mail ids by recipient. Every mail has its own recipient. */
  readonly #mails = new Map<string, string>();
  readonly #arrivals = new Map<string, number>();
  /** How often a mail may have arrived without being recorded as sent, because a kill came in between. */
  readonly #excused = new Map<string, number>();
  strays = 0;
  misnamed = 0;

  expect(recipient: string, mailId: string): void {
    this.#mails.set(recipient, mailId);
  }

  arrive(recipient: string, messageId: string): void {
    const mailId = this.#mails.get(recipient);
    if (mailId === undefined) {
      this.strays += 1;
      return;
    }
    this.#arrivals.set(mailId, (this.#arrivals.get(mailId) ?? 0) + 1);
    if (!messageId.startsWith(`<${mailId.replaceAll('-', '')}@`)) this.misnamed += 1;
  }

  /** After a kill, allows mails that arrived but are still waiting to arrive again. Returns how many there are. */
  excuse(waiting: readonly string[]): number {
    let count = 0;
    for (const mailId of waiting) {
      const arrived = this.#arrivals.get(mailId) ?? 0;
      if (arrived <= (this.#excused.get(mailId) ?? 0)) continue;
      this.#excused.set(mailId, arrived);
      count += 1;
    }
    return count;
  }

  get lost(): number {
    return [...this.#mails.values()].filter((mailId) => !this.#arrivals.has(mailId)).length;
  }

  /** Mails that arrived more often than the kills explain. */
  get repeated(): number {
    return this.#entries().filter(({ arrived, excused }) => arrived > excused + 1).length;
  }

  /** Mails that arrived more than once, but no more often than the kills explain. */
  get excused(): number {
    return this.#entries().filter(({ arrived, excused }) => arrived > 1 && arrived <= excused + 1).length;
  }

  get mostArrivals(): number {
    return Math.max(0, ...this.#arrivals.values());
  }

  #entries(): { arrived: number; excused: number }[] {
    return [...this.#arrivals].map(([mailId, arrived]) => ({
      arrived,
      excused: this.#excused.get(mailId) ?? 0,
    }));
  }
}
