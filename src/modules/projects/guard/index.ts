// Guards of what belongs to a project, and what they tell about the caller.
export {
  type Access,
  isForPages,
  projectActor,
  requireReading,
  requireSending,
  requireSendingWhere,
} from './access'
export { publicKey, secretKey } from './api-key'
export { anyCaller, ownProject, projectAccess } from './project-access'
