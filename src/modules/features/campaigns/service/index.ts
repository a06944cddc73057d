// Use cases of campaigns.
export { abResults, chooseWinner, judgeDueTests } from './ab-decision'
export { markForArchive } from './archive'
export { countUnstored } from './audience'
export { campaignBody, leavingCampaignBody } from './body'
export { failRestOfCampaign } from './cancel-rest'
export { cancelCampaign, pauseCampaign, resumeCampaign } from './control'
export { duplicateCampaign } from './duplicate'
export { expandCampaign, expandOrPause } from './expand'
export { forecastCampaign } from './forecast'
export { layoutInCampaigns } from './layouts'
export { countOptOut } from './opt-out'
export { previewCampaign } from './preview'
export { campaignStats, getCampaign, listCampaigns, listRecipients } from './read'
export { leaveOutReceiver, resumeReceiver } from './receiver-control'
export { releaseReceiver } from './receivers'
export { startDueProbes } from './recovery'
export {
  campaignLinks,
  campaignTimeline,
  exportRecipients,
  segmentOfRecipients,
} from './results'
export { retryFailed, retryRest } from './retry'
export { rollUpCampaignCounts } from './roll-up'
export { segmentInCampaigns } from './segments'
export { sendCampaign, startDueCampaigns } from './send'
export { countReported, countSettled } from './settled'
export { makeSliceSending } from './slice'
export { stopCampaigns } from './stop'
export { sendTest } from './test-send'
export {
  contentDueInCampaigns,
  fieldsInCampaigns,
  isCampaignDue,
  segmentDueInCampaigns,
  topicInCampaigns,
} from './usage'
export { createCampaign, removeCampaign, updateCampaign } from './write'
