// Who listens to the hooks of lower modules: every call against the direction of imports, in one place. Listeners are called in
// the order given here.
import { countUsage, endBillingOf, excessesOf } from '../modules/billing'
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
  stopCampaigns,
  topicInCampaigns,
} from '../modules/campaigns'
import {
  contactsDeleted,
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
} from '../modules/contacts'
import { addSandboxDomain, dropDomainsOf, senderKeyOf } from '../modules/domains'
import {
  clearTemplateId,
  leavingBody,
  mailAllowance,
  messageBody,
  messagesSettled,
  moveMessagesOfContact,
  usageRolledUp,
} from '../modules/emails'
import { eventsHeard, eventUses } from '../modules/events'
import { complainOfSimulated, messagesReported } from '../modules/feedback'
import {
  contentDueInForms,
  forgetAddress,
  forgetRequests,
  formsUsingTemplate,
  moveRequestsOfContact,
  topicInForms,
} from '../modules/forms'
import { optedOut } from '../modules/preferences'
import { personErased } from '../modules/privacy'
import {
  acceptInvitations,
  findInvitationOffer,
  isInvited,
  noteSecondFactor,
  projectCreated,
  projectDeleted,
  projectsAskingFor,
  takeInvitation,
} from '../modules/projects'
import { forgetOldRecipients, moveOldRecipients } from '../modules/redirects'
import { projectSuspended } from '../modules/security'
import {
  eventsInSegments,
  fieldsInSegments,
  isSegmentDue,
  joinList,
  joinSegmentsOf,
  leaveList,
  removeContactsFromSegments,
  requireList,
  segmentDue,
  segmentUses,
  topicInSegments,
} from '../modules/segments'
import { suppressImported } from '../modules/suppressions'
import { senderKey } from '../modules/system-emails'
import { contentDue, formUses, layoutUses, templateForgotten, templateUses } from '../modules/templates'
import {
  findTopicIds,
  forgetDecisions,
  listDecisions,
  listTopicColumns,
  mergeDecisions,
  takeImported,
  topicUses,
} from '../modules/topics'
import {
  addressAwaited,
  addressProved,
  invitationOffer,
  invitationTaken,
  secondFactorChanged,
  secondFactorNeeded,
} from '../modules/users'
import { announceEvents, forgetDeliveriesOf } from '../modules/webhooks'
import {
  contentDueInWorkflows,
  deleteExecutionsOfContacts,
  eventsInWorkflows,
  fieldsInWorkflows,
  moveExecutionsOfContact,
  segmentDueInWorkflows,
  segmentInWorkflows,
  stepsUsingTemplate,
  topicInWorkflows,
} from '../modules/workflows'
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
    forgetRequests,
    forgetDecisions,
    forgetOldRecipients,
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
  on(personErased, forgetAddress, forgetDeliveriesOf, forgetOldRecipients),
  on(topicUses, topicInCampaigns, topicInSegments, topicInWorkflows, topicInForms),
  on(suppressionsImported, suppressImported),
  on(topicsAsked, findTopicIds),
  on(topicsListed, listTopicColumns),
  on(decisionsAsked, listDecisions),
  on(topicsImported, takeImported),
  on(listAsked, requireList),
  on(listDue, isSegmentDue),
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
  on(fieldReferences, fieldsInSegments, fieldsInCampaigns, fieldsInWorkflows),
  on(segmentUses, segmentInCampaigns, segmentInWorkflows),
  on(segmentDue, segmentDueInCampaigns, segmentDueInWorkflows),
  on(contentDue, contentDueInCampaigns, contentDueInWorkflows, contentDueInForms),
  on(layoutUses, layoutInCampaigns),
  on(formUses, formsUsingTemplate),
  on(templateUses, stepsUsingTemplate),
  on(templateForgotten, clearTemplateId),
])
