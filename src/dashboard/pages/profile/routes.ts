// The own account of whoever is signed in.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'

export const profileRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/account',
    component: lazyRouteComponent(() => import('./profile'), 'Profile'),
  }),
] as const
