// Campaigns: all of them, a new one, one of them, and two side by side.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const campaignsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/campaigns',
    validateSearch: searchOf('search', 'status'),
    component: lazyRouteComponent(() => import('./list'), 'Campaigns'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/campaigns/new',
    component: lazyRouteComponent(() => import('./begin'), 'BeginCampaign'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/campaigns/compare',
    validateSearch: searchOf('one', 'other'),
    component: lazyRouteComponent(() => import('./compare'), 'CompareCampaigns'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/campaigns/$id',
    validateSearch: searchOf('part', 'reaction', 'link', 'variant'),
    component: lazyRouteComponent(() => import('./campaign'), 'Campaign'),
  }),
] as const
