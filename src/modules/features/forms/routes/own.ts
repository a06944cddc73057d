// The forms of a project over HTTP.
import { Elysia } from 'elysia'
import { decodeCursor } from '../../../../lib/cursor'
import { cursorList, limitOf } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { type Access, liveRule, projectAccess, projectActor } from '../../../accounts/projects'
import { pickLocale } from '../../../sending/preferences'
import { createBody, formAnswer, formList, idParams, listQuery, toForm, updateBody } from '../model'
import { formSnippet } from '../page'
import type { FormRow } from '../schema'
import { changeOneForm, createForm, getForm, listForms, removeForm } from '../service'

export function ownFormRoutes(ctx: Context) {
  const shown = ({ project }: Access, row: FormRow) => {
    const { name: projectName, language: projectLanguage } = project
    const url = `${ctx.config.baseUrl}/forms/${row.id}`
    const locale = pickLocale(row.language ?? projectLanguage)
    return toForm(row, { url, snippet: formSnippet({ ...row, projectName, projectLanguage }, locale, url) })
  }
  return new Elysia({ prefix: '/signup-forms', tags: ['Forms'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const limit = limitOf(query.limit)
        const behind = decodeCursor(query.cursor)?.id
        const { rows, total } = await listForms(ctx, access.project.id, { behind, limit })
        return cursorList(
          rows,
          limit,
          total,
          row => shown(access, row),
          ({ id }) => ({ value: null, id }),
        )
      },
      {
        scope: 'read',
        query: listQuery,
        response: formList,
        detail: {
          summary: 'Forms, newest first',
          description:
            'By `cursor`, each with how many people asked to subscribe by it, and how many confirmed.',
        },
      },
    )
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, shown(access, await createForm(ctx, projectActor(access), body, liveRule(access)))),
      {
        scope: ['write', 'send'],
        // People who may not send write forms that are off.
        right: 'content.write',
        body: createBody,
        response: { 201: formAnswer },
        detail: {
          summary: 'Create a form by which people subscribe themselves',
          description: 'Whoever sends it gets a mail with a link, and is subscribed by confirming there.',
          errors: [404, 409],
        },
      },
    )
    .get(
      '/:id',
      async ({ access, params }) => shown(access, await getForm(ctx, access.project.id, params.id)),
      {
        scope: 'read',
        params: idParams,
        response: formAnswer,
        detail: {
          summary: 'One form',
          description: 'With `snippet`, the form as plain HTML for a page of your own.',
        },
      },
    )
    .patch(
      '/:id',
      async ({ access, params, body }) =>
        shown(access, await changeOneForm(ctx, projectActor(access), params.id, body, liveRule(access))),
      {
        scope: ['write', 'send'],
        // People who may not send write forms that are off.
        right: 'content.write',
        params: idParams,
        body: updateBody,
        response: formAnswer,
        detail: {
          summary: 'Change a form, or switch it off and on',
          description:
            'Members that are left out stay as they are. `expectedVersion` is the version that you read: if the form has changed since, the answer is 409. While the form is off, its page is 404 and it accepts nothing; earlier signups can still be confirmed.',
          errors: [404, 409],
        },
      },
    )
    .delete(
      '/:id',
      async ({ access, params, status }) => {
        await removeForm(ctx, projectActor(access), params.id)
        return status(204, undefined)
      },
      {
        scope: 'write',
        params: idParams,
        detail: {
          summary: 'Delete a form, with what was sent by it and is not confirmed',
          description: 'Contacts that it brought stay. Links in its mails no longer work.',
        },
      },
    )
}
