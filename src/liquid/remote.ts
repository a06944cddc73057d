// What is asked of the thread that renders, and what it answers.
import type { RenderJob } from './costly'
import type { LiquidFault } from './syntax'

export type RemoteJob = RenderJob | { kind: 'check'; source: string; field: string; isSaved: boolean }

export interface RemoteAnswer {
  text?: string
  /** The allowance did not suffice. */
  isSpent?: boolean
  fault?: LiquidFault | undefined
}
