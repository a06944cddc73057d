// Segments: all of them, one, and creating or changing one.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const segmentsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/segments',
    component: lazyRouteComponent(() => import('./list'), 'Segments'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/segments/new',
    validateSearch: searchOf('type', 'filter'),
    component: lazyRouteComponent(() => import('./editor'), 'NewSegment'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/segments/$id',
    component: lazyRouteComponent(() => import('./segment'), 'SegmentPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/segments/$id/edit',
    component: lazyRouteComponent(() => import('./editor'), 'EditSegment'),
  }),
] as const
