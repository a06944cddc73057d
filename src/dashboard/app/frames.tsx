// The two frames around pages, and what a page of a project needs before it is drawn: a session, and a project in the address.
import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { Suspense } from 'react'
import { ApiError } from '../api/error'
import { t } from '../texts'
import { NotFound, PageFailed } from './failures'
import { LanguageSelect } from './language-select'
import { BrandMark } from './mark'
import { lastProject, leaveFor, pageAddress } from './page-address'
import { mayWrite, queryClient, type Session, sessionQuery } from './session'
import { Shell } from './shell'

export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: PageFailed,
})

/** Pages for visitors who are not signed in. */
export const outside = createRoute({ getParentRoute: () => root, id: 'outside', component: Outside })

/** Pages of a project. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  errorComponent: PageFailed,
  beforeLoad: async ({ location }) => {
    const session = await readSession(location.href)
    if (session.projects.some(project => project.id === pageAddress.projectId)) return
    const project = session.projects.find(each => each.id === lastProject()) ?? session.projects[0]
    if (!project) throw redirect({ to: '/welcome' })
    leaveFor(project.id, location.href, true)
    // The browser is on its way to that project: nothing is drawn until it is there.
    await new Promise(() => {})
  },
})

/** Leads to the sign-in where there is no session. */
async function readSession(next: string): Promise<Session> {
  try {
    return await queryClient.ensureQueryData(sessionQuery)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    throw redirect({ to: '/sign-in', search: { next } })
  }
}

/** Leads viewers from a page that only creates or changes something to the page above it. */
export async function leadViewersUp(path: string): Promise<void> {
  const { projects } = await queryClient.ensureQueryData(sessionQuery)
  const project = projects.find(({ id }) => id === pageAddress.projectId)
  if (!project || mayWrite(project)) return
  throw redirect({ to: path.slice(0, path.lastIndexOf('/')), params: true })
}

/** The frame of pages for visitors who are not signed in: the logo, one card, nothing else. */
export function Outside() {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-6 px-5 py-10">
      <div className="flex items-center gap-2.5">
        <BrandMark className="size-9" />
        <span className="text-lg font-semibold tracking-tight">{t.words.appName}</span>
      </div>
      <Suspense>
        <Outlet />
      </Suspense>
      <LanguageSelect
        aria-label={t.words.language}
        className="control -ml-1 self-start rounded-md bg-transparent px-1 text-quiet hover:text-ink"
      />
    </main>
  )
}
