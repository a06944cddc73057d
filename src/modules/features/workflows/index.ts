// What others may use of workflows; nothing else is imported from outside.
export type { Graph, Step, Transition } from './definition'
export { branchesOf, nextStep, stepOf } from './graph'
export { workflowJobs, workflowSchedules } from './jobs'
export { moveExecutionsOfContact } from './queries'
export { workflowsRoutes } from './routes'
export { type StepType, stepTypes } from './schema/words'
export {
  contentDueInWorkflows,
  createWorkflow,
  deleteExecutionsOfContacts,
  eventsInWorkflows,
  fieldsInWorkflows,
  getWholeWorkflow,
  saveGraph,
  segmentDueInWorkflows,
  segmentInWorkflows,
  stepsUsingTemplate,
  topicInWorkflows,
  updateWorkflow,
} from './service'
