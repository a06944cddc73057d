// Use cases of projects: who a request acts for, making a project, changing its settings, and replacing its secrets.
export type { ProjectAccessRow } from '../queries'
export * from './access'
export { createProject, listProjects, type ProjectCreated } from './create'
export { type ProjectActor, regenerateKeys, rotateWebhookSecret, updateSettings } from './settings'
