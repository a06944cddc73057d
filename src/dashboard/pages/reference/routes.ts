// The reference of the API: all operations, and one.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const referenceRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/docs',
    validateSearch: searchOf('search'),
    component: lazyRouteComponent(() => import('./overview'), 'ApiReference'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/docs/$id',
    component: lazyRouteComponent(() => import('./operation'), 'ApiOperation'),
  }),
] as const
