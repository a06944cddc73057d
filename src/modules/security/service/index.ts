// Use cases of a project's standing.
export { haltProject } from './halt'
export { reviewProject } from './review'
export { getSecurity, listProjectStates, projectExists } from './standing'
export { reinstateProject, suspendProject } from './suspension'
