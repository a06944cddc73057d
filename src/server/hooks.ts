// Who listens to what lower modules tell and ask: every call against the direction of imports, in one place. Listeners are called in
// the order in which they stand here.
import { endBillingOf, excessesOf } from '../modules/billing/service'
import {
  campaignBody,
  countOptOut,
  countReported,
  countSettled,
  fieldsInCampaigns,
  haltCampaigns,
  segmentInCampaigns,
} from '../modules/campaigns/service'
import { contactsDeleted, fieldReferences } from '../modules/contacts/hooks'
import { addSandboxDomain, dropDomainsOf, senderKeyOf } from '../modules/domains/service'
import { mailAllowance, messageBody, messagesSettled } from '../modules/emails/hooks'
import { clearTemplateId } from '../modules/emails/service'
import { eventUses } from '../modules/events/hooks'
import { messagesReported } from '../modules/feedback/hooks'
import { senderKey } from '../modules/letters/hooks'
import { optedOut } from '../modules/preferences/hooks'
import { projectCreated, projectDeleted } from '../modules/projects/hooks'
import { acceptInvitations, findOffer, isInvited } from '../modules/projects/service'
import { projectHalted } from '../modules/security/hooks'
import { segmentUses } from '../modules/segments/hooks'
import { eventsInSegments, fieldsInSegments, purgeContactMembers } from '../modules/segments/service'
import { templateForgotten, templateUses } from '../modules/templates/hooks'
import { addressAwaited, addressProved, invitationOffer } from '../modules/users/hooks'
import {
  eventsInWorkflows,
  fieldsInWorkflows,
  purgeContactExecutions,
  segmentInWorkflows,
  stepsUsingTemplate,
} from '../modules/workflows/service'
import { bindHooks, on } from '../platform/hooks'

export const hooks = bindHooks([
  on(senderKey, senderKeyOf),
  on(addressProved, acceptInvitations),
  on(addressAwaited, isInvited),
  on(invitationOffer, findOffer),
  on(projectCreated, addSandboxDomain),
  on(projectDeleted, dropDomainsOf, endBillingOf),
  on(projectHalted, haltCampaigns),
  on(contactsDeleted, purgeContactMembers, purgeContactExecutions),
  on(mailAllowance, excessesOf),
  on(messagesSettled, countSettled),
  on(messagesReported, countReported),
  on(messageBody, campaignBody),
  on(optedOut, countOptOut),
  on(eventUses, eventsInSegments, eventsInWorkflows),
  on(fieldReferences, fieldsInSegments, fieldsInCampaigns, fieldsInWorkflows),
  on(segmentUses, segmentInCampaigns, segmentInWorkflows),
  on(templateUses, stepsUsingTemplate),
  on(templateForgotten, clearTemplateId),
])
