// What others may use of workflows; nothing else is imported from outside.

export { branchesOf, nextStep, stepOf } from './definition/graph'
export { createWorkflow, updateWorkflow } from './definition/service/definitions'
export { getWholeWorkflow } from './definition/service/read'
export { deleteExecutionsOfContacts } from './definition/service/remove'
export { saveGraph } from './definition/service/save-graph'
export {
  bulkStartsWorkflows,
  contentDueInWorkflows,
  eventsDueInWorkflows,
  eventsInWorkflows,
  fieldsInWorkflows,
  segmentDueInWorkflows,
  segmentInWorkflows,
  stepsUsingTemplate,
  topicInWorkflows,
} from './definition/service/usage'
export { workflowJobs, workflowSchedules } from './jobs'
export { workflowsRoutes } from './routes'
export { contactsWithExecutions, moveExecutionsOfContact } from './runs/queries/of-contact'
export { type Graph, type Step, type StepType, stepTypes, type Transition } from './words'
