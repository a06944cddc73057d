// The one draft of a form's page. A form that is on reaches visitors: then a press stores it.
import { useQueryClient } from '@tanstack/react-query'
import { answer, api } from '../../api/client'
import { read } from '../../api/queries'
import { renew } from '../../api/renew'
import { storeAccepted } from '../../editor/store-accepted'
import { type Drafted, useStoredDraft } from '../../editor/use-draft'
import { draftOf, type FormDraft, formBody, formFaults, formQuery, type SignUpForm } from './data'

export interface FormControl {
  draft: Drafted<FormDraft, SignUpForm>
  /** `version` is what it is based on; undefined for a change that is never refused. */
  switchTo: (enabled: boolean, version?: number) => Promise<void>
}

export function useForm(form: SignUpForm): FormControl {
  const { id } = form
  const queries = useQueryClient()
  const params = { path: { id } }
  const load = (): Promise<SignUpForm> => read('/signup-forms/{id}', params)
  const remember = (row: SignUpForm): Promise<void> => renew(queries, formQuery(id).queryKey, row)
  const draft = useStoredDraft<FormDraft, SignUpForm>({
    name: `form.${id}`,
    stored: form,
    live: form.enabled,
    isLive: async () => (await load()).enabled,
    read: draftOf,
    saved: formBody,
    async store(value, { version, isPressed, leaving }) {
      const missing = formFaults(value)
      const unready = new Set(Object.keys(missing).map(field => field.split('.')[0]))
      const given = Object.entries(formBody(value)).filter(([member]) => !unready.has(member))
      const patch = async (body: object): Promise<SignUpForm> =>
        await answer(api.PATCH('/signup-forms/{id}', { params, body, keepalive: leaving }))
      const body = { ...Object.fromEntries(given), expectedVersion: version }
      return isPressed ? { stored: await patch(body) } : await storeAccepted(body, missing, patch)
    },
    load,
    remember,
  })
  return {
    draft,
    async switchTo(enabled, version) {
      const body = { enabled, expectedVersion: version }
      const row = await answer(api.PATCH('/signup-forms/{id}', { params, body }))
      // If another person has stored a change in between, the draft keeps its version: storing it then asks.
      if (row.version <= draft.version + 1) draft.raise(row)
      await remember(row)
    },
  }
}
