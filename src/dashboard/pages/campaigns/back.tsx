// The way back to all campaigns.
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'

export function Back() {
  return <BackLink to="/campaigns">{t.campaigns.title}</BackLink>
}
