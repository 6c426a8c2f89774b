import { createStore, useStore } from '../components/external-store.ts';

export type Scheme = 'light' | 'dark';

const system = matchMedia('(prefers-color-scheme: dark)');
const chosen = createStore<Scheme>(read());
system.addEventListener('change', () => chosen.set(read()));

/** The chosen scheme, or the system's. */
function read(): Scheme {
  const { scheme } = document.documentElement.dataset;
  if (scheme === 'light' || scheme === 'dark') return scheme;
  return system.matches ? 'dark' : 'light';
}

/** The current color scheme. Charts redraw when it changes. */
export function useScheme(): Scheme {
  return useStore(chosen);
}

export function chooseScheme(scheme: Scheme): void {
  document.documentElement.dataset['scheme'] = scheme;
  try {
    localStorage.setItem('scheme', scheme);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  chosen.set(scheme);
}
