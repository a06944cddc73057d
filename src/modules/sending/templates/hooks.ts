// The hooks of templates: what they tell and ask the modules above.
import { defineHook } from '../../../platform/hooks'

/** A workflow step that sends with a template. */
export interface StepUse {
  id: string
  name: string
  workflowId: string
  workflowName: string
}

/** The workflow steps that send with a template. */
export const templateUses = defineHook<{ projectId: string; templateId: string }, StepUse[]>('template uses')

/** The forms whose confirmation is mailed with a template. */
export const formUses = defineHook<
  { projectId: string; templateId: string },
  Array<{ id: string; name: string }>
>('form uses')

/** The template is gone. Each listener removes it from up to `limit` of what names it, and returns how many there were. */
export const templateForgotten = defineHook<{ projectId: string; templateId: string; limit: number }, number>(
  'template forgotten',
)

/** Campaigns that use a layout and have not been sent: how many, and the newest up to `limit`. */
export const layoutUses = defineHook<
  { projectId: string; layoutId: string; limit: number },
  { count: number; newest: Array<{ id: string; name: string }> }
>('layout uses')

/** Whether one of the templates, or the layout, is in what will be sent: by an enabled workflow or form, or a scheduled campaign. */
export const contentDue = defineHook<
  { projectId: string; templateIds: readonly string[]; layoutId: string | null },
  boolean
>('content due')
