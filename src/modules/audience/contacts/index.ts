// What others may use of contacts; nothing else is imported from outside.
export { byProgram, clientHash, consentOrigin } from './consent'
export { consentColumns, unreadHeadings } from './consent-headings'
export { type Consent, readConsent, readTopicCell } from './consent-words'
export { mergeEntries } from './entries'
export { isReservedKey, standardFields } from './fields'
export {
  bulkStarts,
  contactsDeleted,
  contactsInUse,
  contactsMerged,
  decisionsAsked,
  type EnteredDecision,
  fieldReferences,
  type ListChange,
  listAsked,
  listDue,
  listJoined,
  listLeft,
  suppressionsImported,
  topicsAsked,
  topicsImported,
  topicsListed,
  topicsRestored,
  type WrittenDecision,
} from './hooks'
export { type ColumnTypes, makeColumnTypes, readCell, readJsonCell } from './import-cells'
export { type ColumnMeaning, findTwice, meaningOf, twiceFault } from './import-columns'
export { importWaves } from './import-waves'
export { contactJobs, contactSchedules } from './jobs'
export { contactStatuses } from './listing'
export { contactAnswer, toConsent, toContact } from './model'
export { type DataPatch, emptyPatch, parsePatch } from './patch'
export { personName } from './person-name'
export {
  deleteImportedRows,
  findContactIds,
  holdAddressed,
  selectContactCounts,
  selectDataOf,
  selectDeletedFields,
  selectFieldCounts,
  selectFieldTypes,
} from './queries'
export type { ContactRow } from './queries/rows'
export { contactsRoutes } from './routes'
export { type ChangedThen, type ConsentOrigin, contacts, type FieldType } from './schema'
export {
  type ContactEntry,
  type ContactPatch,
  deleteContacts,
  enterTopicChanges,
  enterTopicChangesOfMany,
  getContact,
  type ImportedContact,
  importContacts,
  listConsent,
  patchContacts,
  purgeContacts,
  respellContacts,
  setSubscription,
  setSubscriptions,
  snoozeContact,
  type UpdatedSubscription,
  type UpsertedContact,
  updateContact,
  upsertContacts,
  upsertProjectContacts,
} from './service'
export { type SnoozeDuration, snoozeDurations } from './snoozing'
