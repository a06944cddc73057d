// The email of a step is written from the step: it becomes a template, named after the workflow and the step.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { refresh, useProject } from '../../app/session'
import { brandQuery } from '../../editor/data'
import { useFirstSender } from '../../editor/first-sender'
import { type Step, update } from '../../editor/flow/graph'
import { inBrand } from '../../editor/mail/brand'
import { writingOf } from '../../editor/sample-choice'
import { samplesQuery } from '../../editor/samples'
import { savedOf } from '../../editor/writing'
import { language } from '../../texts'
import type { Whole } from './data'
import type { Editor } from './use-editor'

const maxName = 100

/** Opens the composer, which leads back to the step. */
export function useWriteEmail(workflow: Whole, editor: Editor): (step: Step) => Promise<void> {
  const { id, name } = workflow
  const queries = useQueryClient()
  const navigate = useNavigate()
  const firstSender = useFirstSender()
  const project = useProject()
  return async step => {
    const [sample] = await queries.ensureQueryData(samplesQuery(language()))
    const blocks = inBrand(sample!.document, await queries.fetchQuery(brandQuery))
    const { email, name: fromName, replyTo } = project.defaultSender ?? {}
    const body = savedOf({
      ...writingOf(sample!, blocks, project.language),
      name: `${name}: ${step.name}`.slice(0, maxName),
      ...{ from: email ?? (await firstSender()), fromName: fromName ?? '', replyTo: replyTo ?? '' },
    })
    const made = await answer(api.POST('/templates', { body }))
    const templateId = made!.id
    editor.draft.change(old => update(old, step.id, { templateId }))
    // Of a workflow that is on, this browser keeps it until it is published.
    await editor.draft.store()
    void refresh('templates')
    await navigate({
      to: '/templates/$id',
      params: { id: templateId },
      search: { workflow: id, step: step.id },
    })
  }
}
