// What others may use of emails; nothing else is imported from outside.
export {
  type Category,
  categories,
  categoryOf,
  type Demand,
  type Excess,
  limitReached,
  limitSentence,
} from './allowance'
export { type BulkContent, type BulkRenderer, makeBulkRenderer } from './bulk'
export {
  addRecipients,
  type CampaignMail,
  type PlannedMail,
  planRecipients,
  reopenRecipients,
} from './campaign-rows'
export { type Content, type ContentSource, type Footer, renderContent, renderStored } from './compose'
export { type Copy, waitingCopies } from './copies'
export { type DayCounts, isSimulated, type MonthUsage, noDayCounts } from './days'
export { asDocument } from './document'
export { copyEvent, emailFacts, whyNot } from './events'
export { hasFooter, mailClassOf, sourceTypeOf } from './footer'
export {
  heldForReceiver,
  heldReceiverOf,
  isHeld,
  isSkippedByRule,
  type MailRules,
  momentStep,
  skippedBy,
  zoneOf,
} from './hold'
export {
  type LeavingMail,
  leavingBody,
  mailAllowance,
  messageBody,
  messagesSettled,
  usageRolledUp,
} from './hooks'
export { emailJobs, emailSchedules } from './jobs'
export { emailKinds } from './kinds'
export { contactLinks, listLinks, projectOfToken, projectOfView, testRecipient } from './links'
export { type DeliveryFacts, whyWithheld } from './policy'
export {
  contentPiece,
  countEmailsBefore,
  type DaySpan,
  type DueEmail,
  deleteSubmitted,
  type EmailRow,
  type EmailSettlement,
  type EmailSummaryRow,
  failOpenRecipients,
  findSuppressed,
  findTakenMessageIds,
  type HitCounts,
  insertAttachments,
  insertReceived,
  insertSubmitted,
  lockMails,
  type MailDeltas,
  moveMessagesOfContact,
  type NewEmail,
  pageOfEmails,
  type ReceivedRow,
  type ReceiverRefusals,
  type ReportedMail,
  releaseHeldEmails,
  releaseHeldPage,
  respellMessagesOfContact,
  retryingEmails,
  type SettledReceiver,
  selectDays,
  selectIsInTopic,
  selectReputation,
  type TakenRecipient,
  type Taking,
  takeRecipients,
  updateMails,
  whenFree,
} from './queries'
export { emailsRoutes } from './routes'
export {
  type ContentType,
  contentTypes,
  type EmailStatus,
  emailStatuses,
  emails,
  type MailClass,
  type Metadata,
  type SourceType,
} from './schema'
export { troubleWords } from './search'
export {
  attempt,
  clearTemplateId,
  createEmails,
  emptyMessagesBefore,
  enqueueReviews,
  eraseMessages,
  factsOf,
  failWaiting,
  findExcesses,
  findRefusedOften,
  findWornOut,
  getEmail,
  type Halted,
  hasLeft,
  type KeyRing,
  listRefusals,
  type MailHold,
  type MailingStop,
  makeBooker,
  makeKeyRing,
  makeMailHold,
  noteRefusals,
  outgoingMessage,
  readScheduledFor,
  receiverNameFor,
  requireAllowance,
  respellWaiting,
  settleBatch,
  settlePersistently,
  stopMailing,
  withinAllowance,
} from './service'
export { isOwnSimulator, simulatesComplaint } from './simulator'
export { isBehindSite, mendPlaceholders } from './spoiled'
export { compileText, plainTextOf, textSourceOf } from './text'
export { isTracked } from './tracking-mode'
