// What others may use of projects; nothing else is imported from outside.
export { type Approval, type ApprovalFacts, approvalWords } from './approval'
export { actorOfKey } from './audit'
export type { Brand, BrandVariables } from './brand'
export {
  type Access,
  isForPages,
  liveRule,
  maySend,
  ownProject,
  projectAccess,
  projectActor,
  publicKey,
  requireReading,
  secretKey,
} from './guard'
export { projectCreated, projectDeleted } from './hooks'
export { projectJobs, projectSchedules } from './jobs'
export { quotedName } from './name'
export {
  disableProject,
  enableProject,
  isDisabled,
  selectClosedProjects,
  selectDefaultSender,
  selectNameOfProject,
} from './queries'
export { may } from './roles'
export { projectsRoutes } from './routes'
export type { DefaultSender, DisabledReason, MailCap, QuietHours, Tracking } from './schema'
export {
  type AuditAction,
  type AuditDetails,
  acceptInvitations,
  anyChange,
  decideRequest,
  describeApproval,
  findInvitationOffer,
  findKeyHolder,
  isInvited,
  type LiveRule,
  missingApproval,
  noteSecondFactor,
  notifyMembers,
  type ProjectActor,
  pageBrand,
  projectsAskingFor,
  readBrandVariables,
  recordAudit,
  recordEdit,
  requestApproval,
  requireApproval,
  requireMemberAddress,
  respellInvitations,
  type ShownApproval,
  systemActor,
  takeInvitation,
} from './service'
