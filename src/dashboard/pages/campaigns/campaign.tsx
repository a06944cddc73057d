// One campaign: editable while it is a draft or waits for its date, read-only with its results from then on.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Loaded } from '../../ui/loading'
import { campaignQuery } from './data'
import { Draft } from './draft'
import { Results } from './results'

const route = getRouteApi('/inside/campaigns/$id')

export function Campaign() {
  const { id } = route.useParams()
  const query = useQuery(campaignQuery(id))
  return (
    <Loaded page query={query}>
      {campaign =>
        campaign.status === 'DRAFT' || campaign.status === 'SCHEDULED' ? (
          <Draft key={id} campaign={campaign} />
        ) : (
          <Results key={id} campaign={campaign} />
        )
      }
    </Loaded>
  )
}
