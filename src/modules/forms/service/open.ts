// The form behind a public address.
import { isUuid } from '../../../lib/ids'
import type { Context } from '../../../platform/context'
import { type PublicForm, selectPublicForm } from '../queries'

/** Undefined for one that is not there, is off, or belongs to a project that may not send: all of that looks alike from outside. */
export async function openForm(ctx: Context, id: string): Promise<PublicForm | undefined> {
  const form = await anyForm(ctx, id)
  return form?.enabled && !form.projectDisabled ? form : undefined
}

/** The same where it makes no difference whether it is on: who was asked may answer. */
export async function anyForm(ctx: Context, id: string): Promise<PublicForm | undefined> {
  return isUuid(id) ? await selectPublicForm(ctx, id) : undefined
}
