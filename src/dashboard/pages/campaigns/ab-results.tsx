// The outcome of an A/B test: how each variant did, which one is the best and how sure that is, and choosing by hand.
import { useQuery } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { ForSenders } from '../../app/rights'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { ConfirmButton } from '../../ui/confirm'
import { formatDateTime, formatNumber, formatPercent } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import { type AbTest, ownWords } from './ab-test-draft'
import { abResultsQuery, type CampaignRow } from './data'

type Results = Schemas['CampaignAbResults']
type Figures = Results['variants'][number]

export function AbResults({ campaign }: { campaign: CampaignRow }) {
  const query = useQuery({ ...abResultsQuery(campaign.id), enabled: !!campaign.abTest })
  if (!campaign.abTest) return null
  return (
    <Card title={t.campaigns.abTest.title}>
      <Loaded query={query}>
        {results => (
          <div className="space-y-4">
            <p>{outcomeText(results)}</p>
            <Variants campaign={campaign} abTest={campaign.abTest!} results={results} />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

/** One or two sentences on how far the test is. Which one is probably the best is only said once its time is over. */
function outcomeText({ state, winner, decidedBy, dueAt, confidence, variants }: Results): string {
  const words = t.campaigns.abTest
  if (state === 'TESTING') return dueAt ? words.until(formatDateTime(dueAt)) : words.trying
  const best = variants.toSorted((one, other) => other.probability - one.probability)[0]!
  const likely = formatPercent(best.probability / 100)
  const says = words.best(best.variant, likely, variants.length > 2)
  if (!winner) return `${says} ${words.undecided(formatPercent(confidence / 100))}`
  if (decidedBy === 'PERSON') return words.chosen(winner)
  return `${says} ${decidedBy === 'TEST' ? words.won(winner) : words.noneWon}`
}

interface VariantsProps {
  campaign: CampaignRow
  abTest: AbTest
  results: Results
}

function Variants({ campaign, abTest, results }: VariantsProps) {
  const words = t.campaigns.abTest
  const { metric, variants, winner, state } = results
  const hasBegun = variants.some(each => each.sentCount > 0)
  const mayChoose = campaign.status === 'SENDING' && state !== 'DECIDED'
  return (
    <ul className="divide-y divide-line">
      {variants.map((figures, number) => (
        <li
          key={figures.variant}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
        >
          <div className="min-w-40 flex-1">
            <p className={classes('wrap-anywhere', figures.variant === winner && 'font-semibold')}>
              {words.named(
                figures.variant,
                number === 0 ? campaign.subject : ownWords(abTest.variants[number - 1]!),
              )}
            </p>
            {hasBegun && <p className="text-quiet tabular-nums">{saidOf(figures, metric)}</p>}
          </div>
          {hasBegun && (
            <p className="text-quiet tabular-nums">
              {words.likely(formatPercent(figures.probability / 100), variants.length > 2)}
            </p>
          )}
          {mayChoose && (
            <ForSenders label={words.choose(figures.variant)}>
              <Choose id={campaign.id} name={figures.variant} />
            </ForSenders>
          )}
        </li>
      ))}
    </ul>
  )
}

function saidOf(
  { sentCount, openedCount, clickedCount, unsubscribedCount }: Figures,
  metric: Results['metric'],
): string {
  const count = metric === 'OPENS' ? openedCount : clickedCount
  const share = sentCount > 0 ? formatPercent(count / sentCount) : ''
  const words = t.campaigns.abTest[metric === 'OPENS' ? 'opened' : 'clicked']
  const left = unsubscribedCount > 0 ? t.campaigns.abTest.unsubscribed(formatNumber(unsubscribedCount)) : ''
  return [words(formatNumber(count), formatNumber(sentCount)), share, left].filter(part => part).join(' · ')
}

function Choose({ id, name }: { id: string; name: Figures['variant'] }) {
  const words = t.campaigns.abTest
  const choose = async (): Promise<void> => {
    const body = { variant: name }
    await answer(api.POST('/campaigns/{id}/ab-test/winner', { params: { path: { id } }, body }))
    await refresh('campaigns')
    toast(words.chosen(name))
  }
  return (
    <ConfirmButton
      label={words.choose(name)}
      title={words.choose(name)}
      consequence={words.chooseHint}
      action={words.choose(name)}
      onConfirm={choose}
    />
  )
}
