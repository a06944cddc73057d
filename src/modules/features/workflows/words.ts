// The words of workflows: types of steps and triggers, states, and the graph as the pure files see it.
import type { FilterReference } from '../../../filters/references'
import type { TemplateType } from '../../sending/templates'

export type Values = Record<string, unknown>

export interface Step {
  id: string
  type: StepType
  name: string
  config: Values
  templateId: string | null
}

export interface Transition {
  id: string
  fromStepId: string
  toStepId: string
  /** Of a CONDITION. */
  branch: string | null
  /** Of a WAIT_FOR_EVENT. */
  waitOutcome: WaitOutcome | null
  priority: number
  /** Made automatically when a step was added; it yields to one that somebody asks for. */
  automatic: boolean
}

export interface Graph {
  /** In the order of their creation. */
  steps: readonly Step[]
  transitions: readonly Transition[]
}

export const workflowLimits = {
  steps: 200,
  transitions: 500,
  configBytes: 65_536,
  contextBytes: 262_144,
} as const

/** How many times workflows may set each other off; more is taken for a loop. */
export const maxHops = 16

/** Starts of one workflow for one contact within an hour, unless the workflow says otherwise. */
export const defaultStartsPerHour = 100
export const startsPerHourCeiling = 10_000

export interface CanvasPosition {
  x: number
  y: number
}

/** The contents of a template, in its layout, when the snapshot was made. */
export interface SnapshotTemplate {
  id: string
  subject: string
  body: string
  fromEmail: string
  fromName: string | null
  replyTo: string | null
  type: TemplateType
  /** Missing in snapshots of earlier versions. */
  tracking?: boolean | null
}

export interface Snapshot extends Graph {
  workflowName: string
  templates: SnapshotTemplate[]
}

/** The event that ended an execution's wait; read by the run that continues. */
export interface ReceivedEvent {
  id: string
  name: string
  data: Values | null
  receivedAt: string
}

export type WorkflowReferenceKind = FilterReference['kind']

export const stepTypes = [
  'TRIGGER',
  'SEND_EMAIL',
  'DELAY',
  'WAIT_FOR_EVENT',
  'CONDITION',
  'WEBHOOK',
  'UPDATE_CONTACT',
  'EXIT',
] as const
export type StepType = (typeof stepTypes)[number]

export const triggerTypes = ['EVENT', 'MANUAL', 'SCHEDULE'] as const
export type TriggerType = (typeof triggerTypes)[number]

export const activeStatuses = ['RUNNING', 'WAITING'] as const
export type ActiveStatus = (typeof activeStatuses)[number]

export const executionStatuses = [...activeStatuses, 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED'] as const
export type ExecutionStatus = (typeof executionStatuses)[number]
export type EndStatus = Exclude<ExecutionStatus, ActiveStatus>

export const stepStatuses = [
  'PENDING',
  'SCHEDULED',
  'WAITING',
  'RUNNING',
  'COMPLETED',
  'SKIPPED',
  'FAILED',
] as const
export type StepStatus = (typeof stepStatuses)[number]

export const waitOutcomes = ['EVENT', 'TIMEOUT'] as const
export type WaitOutcome = (typeof waitOutcomes)[number]
