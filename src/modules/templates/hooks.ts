// What templates ask the modules above.
import { defineHook } from '../../platform/hooks'
import type { StepUse } from './service/read'

/** The workflow steps that send with a template. */
export const templateUses = defineHook<{ projectId: string; templateId: string }, StepUse[]>('template uses')
