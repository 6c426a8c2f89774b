import { createStore, useStore } from '../components/external-store.ts';

export type Scheme = 'light' | 'dark';

const system = matchMedia('(prefers-color-scheme: dark)');
const chosen = createStore<Scheme>(read());
system.addEventListener('change', () => chosen.set(read()));

/** What the person chose, or what the system asks for. */
function read(): Scheme {
  const { scheme } = document.documentElement.dataset;
  if (scheme === 'light' || scheme === 'dark') return scheme;
  return system.matches ? 'dark' : 'light';
}

/** The colours in force; charts draw again when they change. */
export function useScheme(): Scheme {
  return useStore(chosen);
}

export function chooseScheme(scheme: Scheme): void {
  document.documentElement.dataset['scheme'] = scheme;
  try {
    localStorage.setItem('scheme', scheme);
  } catch {
    // Where nothing is kept, the choice lasts as long as the page.
  }
  chosen.set(scheme);
}
