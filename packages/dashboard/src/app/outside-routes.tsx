import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Crash, Missing, Outside } from './fallbacks.tsx';

export const root = createRootRoute({ notFoundComponent: Missing, errorComponent: Crash });

/** The pages that need no session. */
export const outside = createRoute({ getParentRoute: () => root, id: 'outside', component: Outside });
export const outsideRoutes = [
  createRoute({
    getParentRoute: () => outside,
    path: 'sign-in',
    validateSearch: ({ back, reason }): { back?: string; reason?: 'idle' } => ({
      ...(typeof back === 'string' && { back }),
      ...(reason === 'idle' && { reason }),
    }),
    component: lazyRouteComponent(() => import('../pages/sign-in/sign-in.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: 'join',
    component: lazyRouteComponent(() => import('../pages/sign-in/join.tsx'), 'JoinPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: 'enroll',
    component: lazyRouteComponent(() => import('../pages/sign-in/enroll.tsx'), 'EnrollPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: 'forgot',
    component: lazyRouteComponent(() => import('../pages/sign-in/forgot.tsx'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: 'reset',
    component: lazyRouteComponent(() => import('../pages/sign-in/reset.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: 'story',
    component: lazyRouteComponent(() => import('../pages/story/story.tsx'), 'StoryPage'),
  }),
] as const;
