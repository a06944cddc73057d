// A second member of a newcomer's project: somebody who followed the link of an invitation.
import type { Newcomer } from './newcomer'
import { type Visitor, visitor } from './open'

const password = 'a second long password'

/** Asks the API as the newcomer, in their project. */
export async function call(
  { page, showcase, projectId }: Newcomer,
  method: 'get' | 'post',
  path: string,
  data?: object,
) {
  const headers = { 'x-project-id': projectId }
  const answer = await page.request[method](showcase.url + path, { headers, ...(data ? { data } : {}) })
  return await answer.json()
}

export async function second(somebody: Newcomer, role: string): Promise<Visitor> {
  const { showcase, browser, projectId } = somebody
  const email = `${role.toLowerCase()}@team.example`
  const project = `/projects/${projectId}`
  const { invitationId } = await call(somebody, 'post', `${project}/members`, { email, role })
  const { url } = await call(somebody, 'get', `${project}/invitations/${invitationId}/link`)
  const other = await visitor(browser, { width: 1280, theme: 'light' })
  const token = new URL(url).searchParams.get('token') ?? ''
  await other.page.request.post(`${showcase.url}/auth/invitation/form`, { form: { token, password } })
  await other.page.request.post(`${showcase.url}/auth/login`, { data: { email, password } })
  return other
}
