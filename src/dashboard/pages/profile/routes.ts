// The account of the signed-in user.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'

export const profileRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/account',
    component: lazyRouteComponent(() => import('./profile'), 'Profile'),
  }),
] as const
