// Who is signed in, which projects they belong to, and which project this page is about.
import { QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { answer, api } from '../api/client'
import { ApiError } from '../api/error'
import { leaveFor, pageAddress } from './page-address'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: isShort,
      refetchOnMount: isShort,
      refetchOnReconnect: isShort,
      // An error of the client stays one; others may be gone in a moment.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status in refusals),
    },
  },
})

/** Whether a list has few pages: one that somebody has scrolled far down would be reloaded page by page. */
function isShort({ state: { data } }: { state: { data: unknown } }): boolean {
  const pages = (data as { pages?: unknown[] } | undefined)?.pages
  return (pages?.length ?? 0) <= 3
}

const refusals: Record<number, true> = { 400: true, 401: true, 403: true, 404: true, 409: true, 422: true }

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const [user, projects] = await Promise.all([
      answer(api.GET('/users/@me')),
      answer(api.GET('/users/@me/projects')),
    ])
    return { user, projects }
  },
  staleTime: 60_000,
})

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: () => answer(api.GET('/config')),
  staleTime: Number.POSITIVE_INFINITY,
})

export type Session = Awaited<ReturnType<NonNullable<typeof sessionQuery.queryFn>>>
export type Project = Session['projects'][number]

/** Inside the frame there is always a session. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

/** The project of the address. */
export function useProject(): Project {
  const { projects } = useSession()
  return projects.find(project => project.id === pageAddress.projectId)!
}

/** Loads anew what is on the screen and has a key that begins like this. Other data is loaded anew when a page shows it (`ageing.ts`). */
export async function refresh(...queryKey: readonly unknown[]): Promise<void> {
  await queryClient.invalidateQueries({ queryKey })
}

/** To be called after something about the account or a project was changed. */
export const refreshSession = (): Promise<void> => refresh(...sessionQuery.queryKey)

/** Whether the user may change members, keys and settings. */
export function isAdmin(project: Project): boolean {
  return project.role === 'OWNER' || project.role === 'ADMIN'
}

/** Whether the user may change contacts, texts, drafts and whatever is not live. */
export function mayWrite({ role }: Pick<Project, 'role'>): boolean {
  return role !== 'VIEWER'
}

/** Whether the user may send, turn on, and change what is live. */
export function maySend({ role }: Pick<Project, 'role'>): boolean {
  return role !== 'VIEWER' && role !== 'EDITOR'
}

export async function signOut(): Promise<void> {
  await api.POST('/auth/logout')
  leaveFor(undefined, '/sign-in')
}
