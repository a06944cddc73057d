// Somebody who got a message and holds the links that stood in it.
import type { AnyElysia } from 'elysia'
import { listLinks } from '../../src/modules/sending/emails/links'
import type { MadeProject } from './make'
import { request } from './request'
import { sender, type World } from './world'

export interface Person {
  project: MadeProject
  id: string
  email: string
  /** The query of a good link. */
  query: string
  emailId: string
}

let counter = 0

/** A subscribed contact of a new project, to whom a message was sent. */
export async function makeRecipient(
  world: World,
  app: AnyElysia,
  data: Record<string, unknown> = {},
  given: { projectName?: string; email?: string } = {},
): Promise<Person> {
  const project = await world.newProject(given.projectName ?? 'Acme <&> "Co"')
  const email = given.email ?? `p${counter++}@x.test`
  const call = (path: string, body: unknown) => request(app, 'POST', path, { key: project.secretKey, body })
  const made = await call('/contacts', { email, data })
  const sent = await call('/v1/send', { from: sender, to: email, subject: 'a', body: 'b' })
  if (sent.status !== 200) throw new Error(`the send was refused: ${JSON.stringify(sent.body)}`)
  const recipient = { projectId: project.id, contactId: made.body.id }
  const emailId = sent.body.data.emails[0].email
  const { unsubscribeUrl } = listLinks(world.ctx.vault, '', recipient, emailId)
  return { project, id: made.body.id, email, query: unsubscribeUrl.split('?')[1]!, emailId }
}
