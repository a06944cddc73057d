// The kinds of mail that contacts decide about.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'

export const topicsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/topics',
    component: lazyRouteComponent(() => import('./list'), 'Topics'),
  }),
] as const
