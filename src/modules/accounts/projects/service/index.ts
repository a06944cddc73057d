// Use cases of projects: who a request acts for, creating a project, changing its settings, and replacing its secrets.

export { type AuditAction, type AuditDetails, systemActor } from '../audit'
export type { ProjectAccessRow } from '../queries'
export * from './access'
export { createApiKey, listApiKeys, revokeApiKey } from './api-keys'
export {
  decideRequest,
  describeApproval,
  missingApproval,
  requestApproval,
  requireApproval,
  type ShownApproval,
} from './approvals'
export { listAuditLog, recordAudit, recordEdit } from './audit'
export { changeBrand, describeBrand, pageBrand, readBrandVariables } from './brand'
export {
  beingReset,
  deleteProject,
  requeueWipes,
  resetProject,
} from './close'
export { createProject, listProjects } from './create'
export {
  acceptInvitations,
  findInvitationOffer,
  isInvited,
  pruneInvitations,
  respellInvitations,
  takeInvitation,
} from './invitations'
export {
  addMember,
  changeRole,
  listInvitations,
  listMembers,
  notifyMembers,
  removeMember,
  requireMemberAddress,
  revokeInvitation,
  shareInvitation,
} from './members'
export { describeProject, describeProjects, describeSetup } from './overview'
export { pruneFormerPairs, regenerateKeys } from './rotation'
export {
  noteSecondFactor,
  type ProjectActor,
  projectsAskingFor,
  rotateWebhookSecret,
  updateSettings,
} from './settings'
export { wipeProject } from './wipe'
