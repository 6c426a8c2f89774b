import type { Provider } from './provider.ts';

/** The lab's URLs of a provider's hosts: each below the first label of its name, a single host below the provider itself. */
export function hostsInLab(
  { id, hosts }: Pick<Provider, 'id' | 'hosts'>,
  labUrl: string,
): Record<string, string> {
  const names = Object.entries(hosts);
  return Object.fromEntries(
    names.map(([name, origin]) => {
      const [label = ''] = new URL(origin).hostname.split('.');
      return [name, names.length === 1 ? `${labUrl}/${id}` : `${labUrl}/${id}/${label}`];
    }),
  );
}
