// Where the dashboard begins: it loads the texts in the reader's language, then the page of the address.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { type AnyRoute, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { api } from '../api/client'
import { ApiError } from '../api/error'
import { loadTexts } from '../texts'
import { Toasts, toastError } from '../ui/toast'
import { ageing } from './ageing'
import { leaveFor, pageAddress } from './page-address'
import { router } from './routes'
import { queryClient, refreshSession, type Session, sessionQuery } from './session'

/** A session may end at any time; requests under way are lost, the address is not. */
addEventListener('signedout', () => {
  const { pathname, href } = router.state.location
  if (isOpen(pathname) || !queryClient.getQueryData(['session'])) return
  leaveFor(pageAddress.projectId, `/sign-in?next=${encodeURIComponent(href)}`)
})

/** The rule came while the page was open: what the project is now says why nothing works. */
addEventListener('turnedaway', () => {
  const session = queryClient.getQueryData<Session>(sessionQuery.queryKey)
  const project = session?.projects.find(({ id }) => id === pageAddress.projectId)
  if (project && !project.secondFactorMissing) void refreshSession()
})

function isOpen(pathname: string): boolean {
  return ['/sign-in', '/sign-up', '/forgotten', '/reset'].some(open => pathname.endsWith(open))
}

/** What a button sets off without waiting for it may fail too, and says so; of a session that has ended, the page of signing in tells. */
addEventListener('unhandledrejection', event => {
  if (!(event.reason instanceof ApiError)) return
  event.preventDefault()
  if (event.reason.status !== 401) toastError(event.reason)
})

api.use(ageing)
askAhead()
/** Everything that the page of the address waits for is on its way before anything is drawn. */
function askAhead(): void {
  const { pathname } = router.latestLocation
  if (!isOpen(pathname)) void queryClient.prefetchQuery(sessionQuery)
  const routes: Record<string, AnyRoute> = router.routesById
  for (const { routeId } of router.matchRoutes(router.latestLocation))
    void router.loadRouteChunk(routes[routeId]!)
}

// Not awaited at the top: the words are scripts that need this one, which would have to be done first.
loadTexts().then(() =>
  createRoot(document.getElementById('root')!).render(
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>,
  ),
)
