import type { Frame, Grant } from '../../provider.ts';
import { PolarRefusal } from './refusal.ts';

export interface Registration {
  grantId: string;
  clientId: string;
  memberId: string;
  at: number;
}

/** The users that apps have registered. A token without registration gives no access to data. */
export class Registry {
  readonly #byGrant = new Map<string, Registration>();
  readonly #now: () => number;

  constructor(frame: Pick<Frame, 'now' | 'oauth'>) {
    this.#now = frame.now;
    frame.oauth.onRevoked?.((grant) => {
      this.#byGrant.delete(grant.id);
      return [];
    });
  }

  find(grant: Grant): Registration | undefined {
    return this.#byGrant.get(grant.id);
  }

  /** The number of users of an app. */
  count(clientId: string): number {
    return [...this.#byGrant.values()].filter((one) => one.clientId === clientId).length;
  }

  add({ id: grantId, clientId }: Grant, memberId: unknown): Registration {
    if (typeof memberId !== 'string' || memberId === '' || memberId.length > 200)
      throw new PolarRefusal(400, 'member-id must be a string: your own id for the user.');
    const isDuplicate = [...this.#byGrant.values()].some(
      (one) => one.grantId === grantId || (one.clientId === clientId && one.memberId === memberId),
    );
    if (isDuplicate)
      throw new PolarRefusal(409, 'The user is already registered, or the member-id is in use.');
    const added = { grantId, clientId, memberId, at: this.#now() };
    this.#byGrant.set(grantId, added);
    return added;
  }
}
