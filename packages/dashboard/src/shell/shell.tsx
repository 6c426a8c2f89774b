import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider';
import type { Environment } from '../api/client/client.ts';
import { sessionQuery } from '../api/session.ts';
import { signOut } from '../api/sign-in.ts';
import { useEnvironment } from '../app/environment.ts';
import { rememberEnvironment } from '../app/remembered.ts';
import { chooseScheme, useScheme } from '../app/scheme.ts';
import { Skeleton } from '../components/feedback/feedback.tsx';
import '../components/page.css';
import { Toasts, toast } from '../components/feedback/toast.tsx';
import { later } from '../components/overlays/later.ts';
import { failureMessage } from '../api/client/failure.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { IdleNotice } from './idle-notice.tsx';
import { placesWith } from './navigation.ts';
import type { Command } from './palette.tsx';
import './shell.css';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

const Palette = later(() => import('./palette.tsx').then((module) => module.Palette));
const KeysHelp = later(() => import('./keys-help.tsx').then((module) => module.KeysHelp));

/** The frame of every page: location, navigation and account. */
export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const environment = useEnvironment();
  const [layer, setLayer] = useState<'palette' | 'keys' | 'drawer' | null>(null);
  const close = () => setLayer(null);
  const { groups, go, leave } = useWays(environment);
  const places = groups.flatMap((group) => group.places);
  const isDrawerOpen = layer === 'drawer';
  useDrawer(isDrawerOpen, close);
  useEffect(() => rememberEnvironment(environment), [environment]);
  useShortcuts({
    onPalette: () => setLayer('palette'),
    onHelp: () => setLayer('keys'),
    onGo(letter) {
      const place = places.find((one) => one.letter === letter);
      if (place) go(place.path);
      return place !== undefined;
    },
  });
  const commands = useCommands(environment, { places, go, leave, onKeys: () => setLayer('keys') });
  return (
    <PortalProvider getContainer={() => document.getElementById('layers')}>
      <div className="shell" data-drawer={isDrawerOpen ? '' : undefined}>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <Sidebar
          session={session}
          environment={environment}
          groups={groups}
          onEnvironment={(other) => go(null, other)}
          onKeys={() => setLayer('keys')}
          onSignOut={leave}
        />
        <div className="scrim" onClick={close} />
        <div className="body" inert={isDrawerOpen}>
          <TopBar
            environment={environment}
            isDrawerOpen={isDrawerOpen}
            onDrawer={() => setLayer('drawer')}
            onFind={() => setLayer('palette')}
            onKeys={() => setLayer('keys')}
          />
          <main id="main" tabIndex={-1}>
            <Suspense fallback={<Skeleton heights={[32, 240, 160]} />}>
              <Outlet />
            </Suspense>
            <div id="layers" />
          </main>
        </div>
        {layer === 'palette' && (
          <Palette environment={environment} commands={commands} places={places} onGo={go} onClose={close} />
        )}
        {layer === 'keys' && <KeysHelp places={places} onClose={close} />}
        <IdleNotice onSignOut={leave} />
        <Toasts />
      </div>
    </PortalProvider>
  );
}

/** The places that have a page, and how to open them. */
function useWays(environment: Environment) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const groups = placesWith((one) => `/$environment/${one}` in router.routesByPath);
  /** Opens a path after the environment. Null stays on the page, or on its list in the other environment. */
  function go(to: string | null, other: Environment = environment) {
    const [, , current] = path.split('/');
    // Pushed as a URL, because paths from the server may contain a query.
    router.history.push(`/dashboard/${other}/${to ?? current ?? ''}`);
  }
  async function leave() {
    try {
      await signOut();
      queryClient.clear();
      await router.navigate({ to: '/sign-in' });
    } catch (error) {
      toast(failureMessage(error), { failed: true });
    }
  }
  return { groups, go, leave: () => void leave() };
}

/** The drawer on phones takes focus, closes on Esc and navigation, and returns focus. */
function useDrawer(isOpen: boolean, close: () => void) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const wasAt = useRef(path);
  useEffect(() => {
    if (wasAt.current !== path && isOpen) close();
    wasAt.current = path;
  });
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    document.querySelector<HTMLElement>('.sidebar button, .sidebar a')?.focus();
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && close();
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
      if (before instanceof HTMLElement) requestAnimationFrame(() => before.focus());
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `close` is recreated on each render but always does the same
  }, [isOpen]);
}

function useCommands(
  environment: Environment,
  ways: {
    places: readonly { label: string; path: string; letter: string }[];
    go: (path: string | null, environment?: Environment) => void;
    leave: () => void;
    onKeys: () => void;
  },
): Command[] {
  const { places, go, leave, onKeys } = ways;
  const otherScheme = useScheme() === 'dark' ? 'light' : 'dark';
  const other = environment === 'live' ? 'sandbox' : 'live';
  return [
    ...places.map(({ label, path, letter }) => ({
      id: path,
      label,
      group: 'Go to',
      keys: `G ${letter.toUpperCase()}`,
      run: () => go(path),
    })),
    { id: 'other', label: `Switch to ${other}`, group: 'Actions', run: () => go(null, other) },
    {
      id: 'scheme',
      label: `Use ${otherScheme} theme`,
      group: 'Actions',
      run: () => chooseScheme(otherScheme),
    },
    { id: 'help', label: 'Show keyboard shortcuts', group: 'Actions', keys: '?', run: onKeys },
    { id: 'out', label: 'Sign out', group: 'Actions', run: leave },
  ];
}
