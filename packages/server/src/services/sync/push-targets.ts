import { findProvider, type App, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { findApp } from '../providers/find-app.ts';
import { isPushSecret } from '../providers/push-address.ts';

/** The provider app that a push URL belongs to. */
export interface PushTarget {
  environment: Environment;
  provider: Provider & { push: NonNullable<Provider['push']> };
  app: App;
}

/** Finds the provider apps of push URLs. Concurrent requests share a query, so that pushes to invented URLs do not occupy the database. */
export class PushTargets {
  readonly #ctx: Pick<Context, 'config' | 'db' | 'keyring'>;
  readonly #searches = new Map<string, Promise<App | null>>();

  constructor(ctx: Pick<Context, 'config' | 'db' | 'keyring'>) {
    this.#ctx = ctx;
  }

  /** Returns null if the URL is not ours. */
  async find(path: { environment: string; provider: string; secret: string }): Promise<PushTarget | null> {
    const { environment, secret } = path;
    if (environment !== 'live' && environment !== 'sandbox') return null;
    const provider = findProvider(path.provider);
    if (!hasPush(provider)) return null;
    const app = await this.#findApp(environment, provider);
    if (!app || !isPushSecret(this.#ctx, environment, provider.id, app, secret)) return null;
    return { environment, provider, app };
  }

  #findApp(environment: Environment, provider: Provider): Promise<App | null> {
    const name = `${environment}/${provider.id}`;
    let search = this.#searches.get(name);
    if (!search) {
      search = findApp(this.#ctx, this.#ctx.db, environment, provider).finally(() =>
        this.#searches.delete(name),
      );
      this.#searches.set(name, search);
    }
    return search;
  }
}

function hasPush(provider: Provider | undefined): provider is PushTarget['provider'] {
  return Boolean(provider?.push);
}
