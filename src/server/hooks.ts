// Who listens to the hooks of lower modules: every call against the direction of imports, in one place. Listeners are called in
// the order given here.

import {
  acceptInvitations,
  findInvitationOffer,
  isInvited,
  noteSecondFactor,
  projectCreated,
  projectDeleted,
  projectsAskingFor,
  takeInvitation,
} from '../modules/accounts/projects'
import { senderKey } from '../modules/accounts/system-emails'
import {
  addressAwaited,
  addressProved,
  invitationOffer,
  invitationTaken,
  secondFactorChanged,
  secondFactorNeeded,
} from '../modules/accounts/users'
import { announceEvents, deleteDeliveriesOf } from '../modules/api/webhooks'
import {
  bulkStarts,
  contactsDeleted,
  contactsInUse,
  contactsMerged,
  decisionsAsked,
  fieldReferences,
  listAsked,
  listDue,
  listJoined,
  listLeft,
  suppressionsImported,
  topicsAsked,
  topicsImported,
  topicsListed,
  topicsRestored,
} from '../modules/audience/contacts'
import { eventsHeard, eventUses } from '../modules/audience/events'
import { suppressImported } from '../modules/audience/suppressions'
import {
  eraseDecisions,
  findTopicIds,
  listDecisions,
  listTopicColumns,
  mergeDecisions,
  restoreDecisions,
  takeImported,
  topicUses,
} from '../modules/audience/topics'
import {
  campaignBody,
  contentDueInCampaigns,
  countOptOut,
  countReported,
  countSettled,
  fieldsInCampaigns,
  layoutInCampaigns,
  leavingCampaignBody,
  moveClicksOfContact,
  segmentDueInCampaigns,
  segmentInCampaigns,
  segmentReadersInCampaigns,
  stopCampaigns,
  topicInCampaigns,
} from '../modules/features/campaigns'
import {
  contactsWithRequests,
  contentDueInForms,
  deleteOldRequests,
  eraseRequestsOf,
  fieldsInForms,
  formsUsingTemplate,
  moveRequestsOfContact,
  topicInForms,
} from '../modules/features/forms'
import {
  eventsDue,
  eventsInSegments,
  fieldsInSegments,
  isSegmentDue,
  joinList,
  joinSegmentsOf,
  leaveList,
  removeContactsFromSegments,
  requireList,
  segmentDue,
  segmentReaders,
  segmentUses,
  topicInSegments,
} from '../modules/features/segments'
import {
  bulkStartsWorkflows,
  contactsWithExecutions,
  contentDueInWorkflows,
  deleteExecutionsOfContacts,
  eventsDueInWorkflows,
  eventsInWorkflows,
  fieldsInWorkflows,
  moveExecutionsOfContact,
  segmentDueInWorkflows,
  segmentInWorkflows,
  stepsUsingTemplate,
  topicInWorkflows,
} from '../modules/features/workflows'
import { countUsage, endBillingOf, excessesOf } from '../modules/oversight/billing'
import { personErased } from '../modules/oversight/privacy'
import { projectSuspended } from '../modules/oversight/security'
import { addSandboxDomain, dropDomainsOf, senderKeyOf } from '../modules/sending/domains'
import {
  clearTemplateId,
  contactsWithEmails,
  leavingBody,
  mailAllowance,
  messageBody,
  messagesSettled,
  moveMessagesOfContact,
  usageRolledUp,
} from '../modules/sending/emails'
import { complainOfSimulated, messagesReported } from '../modules/sending/feedback'
import { optedOut } from '../modules/sending/preferences'
import { moveOldRecipients, pruneRecipients } from '../modules/sending/redirects'
import {
  contentDue,
  formUses,
  layoutUses,
  templateForgotten,
  templateUses,
} from '../modules/sending/templates'
import { bindHooks, on } from '../platform/hooks'

export const hooks = bindHooks([
  on(senderKey, senderKeyOf),
  on(addressProved, acceptInvitations),
  on(addressAwaited, isInvited),
  on(invitationOffer, findInvitationOffer),
  on(invitationTaken, takeInvitation),
  on(secondFactorChanged, noteSecondFactor),
  on(secondFactorNeeded, projectsAskingFor),
  on(projectCreated, addSandboxDomain),
  on(projectDeleted, dropDomainsOf, endBillingOf),
  on(projectSuspended, stopCampaigns),
  on(
    contactsDeleted,
    deleteOldRequests,
    eraseDecisions,
    pruneRecipients,
    removeContactsFromSegments,
    deleteExecutionsOfContacts,
  ),
  on(
    contactsMerged,
    moveRequestsOfContact,
    mergeDecisions,
    moveOldRecipients,
    joinSegmentsOf,
    moveMessagesOfContact,
    moveClicksOfContact,
    moveExecutionsOfContact,
  ),
  on(personErased, eraseRequestsOf, deleteDeliveriesOf, pruneRecipients),
  on(topicUses, topicInCampaigns, topicInSegments, topicInWorkflows, topicInForms),
  on(suppressionsImported, suppressImported),
  on(topicsAsked, findTopicIds),
  on(topicsListed, listTopicColumns),
  on(decisionsAsked, listDecisions),
  on(topicsImported, takeImported),
  on(topicsRestored, restoreDecisions),
  on(contactsInUse, contactsWithEmails, contactsWithExecutions, contactsWithRequests),
  on(listAsked, requireList),
  on(listDue, isSegmentDue),
  on(bulkStarts, bulkStartsWorkflows),
  on(listJoined, joinList),
  on(listLeft, leaveList),
  on(mailAllowance, excessesOf),
  on(messagesSettled, countSettled, complainOfSimulated),
  on(usageRolledUp, countUsage),
  on(messagesReported, countReported),
  on(messageBody, campaignBody),
  on(leavingBody, leavingCampaignBody),
  on(optedOut, countOptOut),
  on(eventsHeard, announceEvents),
  on(eventUses, eventsInSegments, eventsInWorkflows),
  on(fieldReferences, fieldsInSegments, fieldsInCampaigns, fieldsInWorkflows, fieldsInForms),
  on(segmentUses, segmentInCampaigns, segmentInWorkflows),
  on(segmentDue, segmentDueInCampaigns, segmentDueInWorkflows),
  on(eventsDue, eventsDueInWorkflows),
  on(segmentReaders, segmentReadersInCampaigns),
  on(contentDue, contentDueInCampaigns, contentDueInWorkflows, contentDueInForms),
  on(layoutUses, layoutInCampaigns),
  on(formUses, formsUsingTemplate),
  on(templateUses, stepsUsingTemplate),
  on(templateForgotten, clearTemplateId),
])
