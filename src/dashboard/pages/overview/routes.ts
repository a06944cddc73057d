// The first page of a project.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/',
    validateSearch: searchOf('days'),
    component: lazyRouteComponent(() => import('./overview'), 'Overview'),
  }),
] as const
