// Switching the language without reloading: texts are read when something is drawn, so every page is drawn once more, and what was typed,
// opened and scrolled to stays.
import type { AnyRoute, RouteComponent } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { language, onLanguage } from '../texts'

/** Wraps all pages of a tree. Each page redraws itself, because the router does not draw a page again whose address stays the same. */
export function redrawWithLanguage(route: AnyRoute): void {
  const { component } = route.options
  if (component) route.options.component = redrawn(component)
  for (const child of Object.values<AnyRoute>(route.children ?? {})) redrawWithLanguage(child)
}

function redrawn(Component: RouteComponent): RouteComponent {
  const Redrawn: RouteComponent = props => {
    useSyncExternalStore(onLanguage, language)
    return <Component {...props} />
  }
  Redrawn.preload = async () => await Component.preload?.()
  return Redrawn
}
