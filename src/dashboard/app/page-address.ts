// Where this page is: the path under which the instance is reached, and the project in the address. The project is part of the address,
// so that links lead to the right one and two tabs may show two projects.

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const last = 'waxwing.project'

export interface PageAddress {
  /** Origin of the API, without a trailing slash. */
  origin: string
  /** `/app`, below the path of BASE_URL. */
  app: string
  projectId?: string
}

/** Scripts are in `<app>/assets/`. */
const app = new URL('..', import.meta.url).pathname.replace(/\/$/, '')
const first = location.pathname.slice(app.length + 1).split('/')[0] ?? ''

export const pageAddress: PageAddress = {
  origin: location.origin + app.slice(0, app.lastIndexOf('/')),
  app,
  projectId: uuid.test(first) ? first : undefined,
}

/** Pages of the instance itself, in English, which anybody may read. */
export const guidesUrl = `${pageAddress.origin}/guides`

/** The router's base path. */
export const basePath = pageAddress.projectId ? `${app}/${pageAddress.projectId}` : app

/** A page as the server names it: a path below the address of the instance. */
export function pathOfPage(projectId: string | undefined, path: string): string {
  return `/app${projectId ? `/${projectId}` : ''}${path}`
}

/** Goes to a page of another project, or of none. Reloads the document, so that nothing of the old project is left. */
export function leaveFor(projectId: string | undefined, path = '/', replace = false): void {
  const target = app.slice(0, -'/app'.length) + pathOfPage(projectId, path)
  if (projectId) localStorage.setItem(last, projectId)
  if (replace) location.replace(target)
  else location.assign(target)
}

export function lastProject(): string | undefined {
  return localStorage.getItem(last) ?? undefined
}
