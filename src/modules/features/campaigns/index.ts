// What others may use of campaigns; nothing else is imported from outside.
export { campaignJobs, campaignSchedules } from './jobs'
export { moveClicksOfContact } from './queries'
export { campaignsRoutes } from './routes'
export { archiveRoutes } from './routes/archive'
export { audienceTypes, campaignStatuses } from './schema'
export {
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
