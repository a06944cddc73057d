// Guards of what belongs to a project, and what they tell about the caller.
export {
  type Access,
  isForPages,
  liveRule,
  maySend,
  projectActor,
  publicKey,
  requireReading,
  secretKey,
} from './access'
export { anyCaller, ownProject, projectAccess } from './project-access'
