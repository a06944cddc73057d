// Where the dashboard begins: words of the reader's language, then the page of the address.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { api } from '../api/client'
import { loadTexts } from '../texts'
import { Toasts } from '../ui/toast'
import { ageing } from './ageing'
import { leaveFor } from './page-address'
import { router } from './routes'
import { queryClient } from './session'

/** A session may end at any time; what was on the way is lost, the address is not. */
addEventListener('signedout', () => {
  const { pathname, href } = router.state.location
  if (isOpen(pathname) || !queryClient.getQueryData(['session'])) return
  leaveFor(undefined, `/sign-in?next=${encodeURIComponent(href)}`)
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
