// The instance, for whoever runs it.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const instanceRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/instance',
    validateSearch: searchOf('kind'),
    component: lazyRouteComponent(() => import('./instance'), 'Instance'),
  }),
] as const
