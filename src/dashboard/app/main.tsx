// Where the dashboard begins: it loads the texts in the reader's language, then the page of the address.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { api } from '../api/client'
import { loadTexts } from '../texts'
import { Toasts } from '../ui/toast'
import { ageing } from './ageing'
import { leaveFor, pageAddress } from './page-address'
import { router } from './routes'
import { queryClient, refreshSession, type Session, sessionQuery } from './session'

/** A session may end at any time; requests under way are lost, the address is not. */
addEventListener('signedout', () => {
  const { pathname, href } = router.state.location
  if (isOpen(pathname) || !queryClient.getQueryData(['session'])) return
  leaveFor(undefined, `/sign-in?next=${encodeURIComponent(href)}`)
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

api.use(ageing)
await loadTexts()
createRoot(document.getElementById('root')!).render(
  <CSPProvider disableStyleElements>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </CSPProvider>,
)
