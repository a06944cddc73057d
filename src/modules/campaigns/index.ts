// What others may use of campaigns; nothing else is imported from outside.
export { campaignJobs, campaignSchedules } from './jobs'
export { moveClicksOfContact, pageOfArchived } from './queries'
export { campaignsRoutes } from './routes'
export {
  archivedContent,
  archivedSubjects,
  campaignBody,
  countOptOut,
  countReported,
  countSettled,
  createCampaign,
  fieldsInCampaigns,
  layoutInCampaigns,
  leavingCampaignBody,
  segmentInCampaigns,
  stopCampaigns,
  topicInCampaigns,
} from './service'
