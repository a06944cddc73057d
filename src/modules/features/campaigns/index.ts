// What others may use of campaigns; nothing else is imported from outside.

export { archiveRoutes } from './authoring/routes/archive'
export { campaignBody, leavingCampaignBody } from './authoring/service/body'
export {
  contentDueInCampaigns,
  fieldsInCampaigns,
  layoutInCampaigns,
  segmentDueInCampaigns,
  segmentInCampaigns,
  segmentReadersInCampaigns,
  topicInCampaigns,
} from './authoring/service/usage'
export { createCampaign } from './authoring/service/write'
export { campaignJobs, campaignSchedules } from './jobs'
export { moveClicksOfContact } from './results/queries/clicks'
export { countOptOut, countReported, countSettled } from './results/service/counts'
export { campaignsRoutes } from './routes'
export { audienceTypes, campaignStatuses } from './schema'
export { stopCampaigns } from './sending/service/stop'
