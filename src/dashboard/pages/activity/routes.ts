// The project's activity.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const activityRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/activity',
    validateSearch: searchOf('types', 'days'),
    component: lazyRouteComponent(() => import('./feed'), 'Activity'),
  }),
] as const
