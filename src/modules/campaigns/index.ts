// What others may use of campaigns; nothing else is imported from outside.
export { campaignJobs, campaignSchedules } from './jobs'
export { moveClicksOfContact, pageOfArchived } from './queries'
export { campaignsRoutes } from './routes'
export { audienceTypes, campaignStatuses } from './schema'
export {
  archivedContent,
  archivedSubjects,
  campaignBody,
  contentDueInCampaigns,
  countOptOut,
  countReported,
  countSettled,
  createCampaign,
  fieldsInCampaigns,
  layoutInCampaigns,
  leavingCampaignBody,
  segmentDueInCampaigns,
  segmentInCampaigns,
  stopCampaigns,
  topicInCampaigns,
} from './service'
