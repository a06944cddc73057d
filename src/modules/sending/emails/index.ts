// What others may use of emails; nothing else is imported from outside.
export {
  type Category,
  categories,
  categoryOf,
  type Demand,
  type Excess,
  limitReached,
} from './allowance'
export { type BulkContent, type BulkRenderer, makeBulkRenderer } from './bulk'
export { type Content, type ContentSource, type Footer, renderContent, renderStored } from './compose'
export {
  type Copy,
  openAddresses,
  type StoredCopy,
  settleCopies,
  waitingCopies,
  withholdCopies,
} from './copies'
export { type DayCounts, isSimulated, type MonthUsage, noDayCounts } from './days'
export { asDocument } from './document'
export type { DueEmail } from './due-email'
export type { EmailSettlement, SettledReceiver } from './events'
export { copyEvent, emailFacts, whyNot } from './events'
export { hasFooter, isForAudience, mailClassOf, sourceTypeOf } from './footer'
export {
  heldForReceiver,
  heldReceiverOf,
  isHeld,
  isSkippedByRule,
  type MailRules,
} from './held'
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
export { contactLinks, listLinks, projectOfToken, projectOfView, testRecipient, testViewUrl } from './links'
export { emailReason, emailReasonDetail } from './model'
export { isBehindSite, mendPlaceholders } from './placeholders'
export {
  addRecipients,
  type CampaignMail,
  contactsWithEmails,
  contentPiece,
  countEmailsBefore,
  type DaySpan,
  type DeliveryFacts,
  deleteSubmitted,
  type EmailRow,
  type EmailSummaryRow,
  failOpenRecipients,
  findSuppressed,
  findTakenMessageIds,
  type HitCounts,
  insertAttachments,
  insertReceived,
  insertSubmitted,
  isOpen,
  lockMails,
  type MailDeltas,
  moveMessagesOfContact,
  type NamedRecipients,
  type NewEmail,
  type PlannedMail,
  pageOfEmails,
  planRecipients,
  type ReceivedRow,
  type ReceiverRefusals,
  type ReportedMail,
  releaseHeldEmails,
  releaseHeldPage,
  reopenRecipients,
  respellMessagesOfContact,
  retryingEmails,
  selectDays,
  selectIsInTopic,
  selectReputation,
  selectScheduledFor,
  type TakenEmail,
  type TakenRecipient,
  type Taking,
  takeCopies,
  takeForSending,
  takeRecipients,
  updateMails,
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
  clearTemplateId,
  createEmails,
  emptyMessagesBefore,
  enqueueReviews,
  eraseMessages,
  failWaiting,
  findExcesses,
  findRefusedOften,
  findWornOut,
  furthestAhead,
  getEmail,
  type Halted,
  isContentKept,
  type KeyRing,
  listRefusals,
  type MailingStop,
  makeKeyRing,
  noteRefusals,
  operatorFor,
  outgoingMessage,
  readScheduledFor,
  receiverNameFor,
  requireAllowance,
  respellWaiting,
  settleBatch,
  settlePersistently,
  stopMailing,
  withinAllowance,
  writeCopies,
} from './service'
export { isOwnSimulator, simulatedResult, simulatesComplaint } from './simulator'
export { compileText, plainTextOf, textSourceOf } from './text'
export { isTracked } from './tracking-mode'
