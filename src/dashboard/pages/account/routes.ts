// Signing up and in, a new password, and a new project.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { outside } from '../../app/frames'
import { searchOf } from '../../app/search'

const getParentRoute = () => outside

export const accountRoutes = [
  createRoute({
    getParentRoute,
    path: '/sign-in',
    validateSearch: searchOf('next'),
    component: lazyRouteComponent(() => import('./sign-in'), 'SignIn'),
  }),
  createRoute({
    getParentRoute,
    path: '/sign-up',
    component: lazyRouteComponent(() => import('./sign-up'), 'SignUp'),
  }),
  createRoute({
    getParentRoute,
    path: '/forgotten',
    component: lazyRouteComponent(() => import('./forgotten'), 'Forgotten'),
  }),
  createRoute({
    getParentRoute,
    path: '/welcome',
    component: lazyRouteComponent(() => import('./welcome'), 'Welcome'),
  }),
] as const
