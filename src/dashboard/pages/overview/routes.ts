// The first page of a project.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { type Search, searchOf } from '../../app/search'
import { askAhead, spanOf } from './data'

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/',
    validateSearch: searchOf('days'),
    loader: ({ location }) => askAhead(spanOf((location.search as Search)['days'])),
    component: lazyRouteComponent(() => import('./overview'), 'Overview'),
  }),
] as const
