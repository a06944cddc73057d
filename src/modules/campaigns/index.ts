// What others may use of campaigns; nothing else is imported from outside.
export { campaignJobs, campaignSchedules } from './jobs'
export { campaignsRoutes } from './routes'
export {
  campaignBody,
  countOptOut,
  countReported,
  countSettled,
  fieldsInCampaigns,
  layoutInCampaigns,
  leavingCampaignBody,
  segmentInCampaigns,
  stopCampaigns,
  topicInCampaigns,
} from './service'
