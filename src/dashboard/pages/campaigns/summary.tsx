// What will happen when a campaign is sent, in full, before somebody says yes.
import { t } from '../../texts'
import { Fact } from '../../ui/fact'
import { formatExact } from '../../ui/format'
import { ownZone } from '../../ui/zone'
import { type AbTest, testGroup, variantNames } from './ab-test-draft'
import { useAudienceName } from './audience'
import type { CampaignRow } from './data'
import { nameOfDay } from './timing'
import { allDays } from './timing-draft'

interface SummaryProps {
  campaign: CampaignRow
  /** Among whom an A/B test is split. */
  recipients: number
  reached: number
  /** Undefined: now. */
  at: Date | undefined
  /** In which the time was chosen. */
  zone: string
}

export function Summary({ campaign, recipients, reached, at, zone }: SummaryProps) {
  const { fromName, from, replyTo, subject, timing, abTest } = campaign
  const words = t.campaigns.summary
  const audienceName = useAudienceName(campaign)
  return (
    <dl className="grid gap-3">
      <Fact name={t.words.to}>{words.audience(audienceName, reached)}</Fact>
      <Fact name={t.words.from}>{fromName ? `${fromName} <${from}>` : from}</Fact>
      {replyTo && <Fact name={t.writing.replyTo}>{replyTo}</Fact>}
      {!abTest && <Fact name={t.words.subject}>{subject}</Fact>}
      <Fact name={words.when}>
        {at ? formatExact(at, zone) : t.campaigns.whens.now}
        {at && zone !== ownZone && <span className="block">{t.campaigns.hereThatIs(formatExact(at))}</span>}
      </Fact>
      {timing && <Fact name={words.timing}>{timingWords(timing)}</Fact>}
      {abTest && <Test campaign={campaign} abTest={abTest} recipients={recipients} />}
    </dl>
  )
}

function timingWords({ localTime, passed, window, spreadHours }: NonNullable<CampaignRow['timing']>): string {
  const words = t.campaigns.summary
  const days = window && window.weekdays.length < allDays.length ? window.weekdays.map(nameOfDay) : []
  return [
    ...(localTime ? [words.localTime(localTime, passed === 'NOW')] : []),
    ...(window ? [words.window(window.from, window.to)] : []),
    ...(days.length > 0 ? [days.join(', ')] : []),
    ...(spreadHours ? [words.spread(spreadHours)] : []),
  ].join(' · ')
}

interface TestProps {
  campaign: CampaignRow
  abTest: AbTest
  recipients: number
}

/** Every variant with what is its own, A first, and what the others get, and when. */
function Test({ campaign: { subject }, abTest, recipients }: TestProps) {
  const words = t.campaigns.summary
  const { share, afterHours, metric, confidence, otherwise } = abTest
  const variants = [{ subject, fromName: null, body: null }, ...abTest.variants]
  const { tested, sizes, isExact } = testGroup(share, variants.length, recipients)
  const waiting = recipients - tested
  return (
    <>
      <Fact name={t.campaigns.abTest.title}>{words.tested(variants.length, share, tested, isExact)}</Fact>
      {variants.map((variant, index) => (
        <Fact key={variantNames[index]} name={words.variant(variantNames[index]!, sizes[index]!, isExact)}>
          {variant.subject || subject}
          {variant.fromName && <span className="block">{`${t.words.from}: ${variant.fromName}`}</span>}
          {variant.body && <span className="block">{words.content}</span>}
        </Fact>
      ))}
      <Fact name={words.remaining}>
        {waiting > 0
          ? words.waiting(
              waiting,
              afterHours,
              t.campaigns.abTest.metrics[metric],
              confidence,
              otherwise === 'A',
              isExact,
            )
          : words.nobodyWaits}
      </Fact>
    </>
  )
}
