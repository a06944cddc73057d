// Use cases of a project's standing.

export { getSecurity, listProjectStates, projectExists } from './reputation'
export { reviewProject } from './review'
export { stopSuspendedProject } from './stop'
export { reinstateProject, suspendProject } from './suspension'
