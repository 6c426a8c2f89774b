import { createRoute, createRouter, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { isSignedOut, reasonOf } from '../api/client/failure.ts';
import { sessionQuery } from '../api/session.ts';
import { Shell } from '../shell/shell.tsx';
import { isEnvironment } from './environment.ts';
import { outside, outsideRoutes, root } from './outside-routes.tsx';
import { keepTextParams } from './text-params.ts';
import { createQueryClient } from './query-client.ts';
import { rememberedEnvironment } from './remembered.ts';

export const queryClient = createQueryClient({
  onSignedOut(error) {
    const back = router.state.location.href;
    queryClient.clear();
    void router.navigate({ to: '/sign-in', search: { back, ...reasonOf(error) } });
  },
  onEnrollment() {
    queryClient.clear();
    void router.navigate({ to: '/enroll' });
  },
});

/** All other pages require a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (isSignedOut(error))
        throw redirect({ to: '/sign-in', search: { back: location.href, ...reasonOf(error) } });
      throw error;
    });
    if (session.account.requires_authenticator && !session.operator.two_factor)
      throw redirect({ to: '/enroll' });
  },
});

const start = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/$environment', params: { environment: rememberedEnvironment() } });
  },
});

const environment = createRoute({
  getParentRoute: () => inside,
  path: '$environment',
  beforeLoad: ({ params }) => {
    if (!isEnvironment(params.environment)) throw notFound();
  },
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => environment,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$environment/overview', params });
  },
});

/** A page is a folder in `pages` and a route here. `shell/navigation.ts` adds it to the sidebar, the palette and the `g` shortcuts. */
const pages = [
  createRoute({
    getParentRoute: () => environment,
    path: 'overview',
    component: lazyRouteComponent(() => import('../pages/overview/overview.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'users',
    validateSearch: keepTextParams('q', 'filter'),
    component: lazyRouteComponent(() => import('../pages/users/users.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'users/$userId',
    validateSearch: keepTextParams('tab', 'day', 'why', 'key'),
    component: lazyRouteComponent(() => import('../pages/user/user.tsx'), 'UserPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'keys',
    component: lazyRouteComponent(() => import('../pages/keys/keys.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'settings',
    component: lazyRouteComponent(() => import('../pages/settings/settings.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'settings/$tab',
    component: lazyRouteComponent(() => import('../pages/settings/settings.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'webhooks',
    component: lazyRouteComponent(() => import('../pages/webhooks/webhooks.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'webhooks/$webhookId',
    validateSearch: keepTextParams('status', 'delivery'),
    component: lazyRouteComponent(() => import('../pages/webhooks/webhook.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'events',
    validateSearch: keepTextParams('type', 'user', 'metric'),
    component: lazyRouteComponent(() => import('../pages/events/events.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'events/$eventId',
    validateSearch: keepTextParams('type', 'user', 'metric'),
    component: lazyRouteComponent(() => import('../pages/events/events.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'audit',
    validateSearch: keepTextParams('search', 'action', 'from', 'to', 'entry'),
    component: lazyRouteComponent(() => import('../pages/audit/audit.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'access',
    validateSearch: keepTextParams('search', 'from', 'to'),
    component: lazyRouteComponent(() => import('../pages/access/access.tsx'), 'AccessPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'providers',
    component: lazyRouteComponent(() => import('../pages/providers/providers.tsx'), 'ProvidersPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'providers/$provider',
    component: lazyRouteComponent(() => import('../pages/providers/provider.tsx'), 'ProviderPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'roster',
    component: lazyRouteComponent(() => import('../pages/roster/roster.tsx'), 'RosterPage'),
  }),
  createRoute({
    getParentRoute: () => environment,
    path: 'roster/invitations',
    component: lazyRouteComponent(() => import('../pages/roster/roster.tsx'), 'RosterPage'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    outside.addChildren(outsideRoutes),
    inside.addChildren([start, environment.addChildren([home, ...pages])]),
  ]),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
