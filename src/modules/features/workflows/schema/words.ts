// Types of steps and triggers, states of executions and steps: what the columns hold and the engine works with.

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
