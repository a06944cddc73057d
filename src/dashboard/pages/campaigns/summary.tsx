// What will happen when a campaign is sent, in full, before somebody says yes.
import { t } from '../../texts'
import { Fact } from '../../ui/fact'
import { formatExact } from '../../ui/format'
import { ownZone } from '../../ui/zone'
import { type AbTest, ownWords, variantNames } from './ab-test-draft'
import { useAudienceName } from './audience'
import type { CampaignRow } from './data'
import { nameOfDay } from './timing'
import { allDays } from './timing-draft'

interface SummaryProps {
  campaign: CampaignRow
  recipients: number
  /** Undefined: now. */
  at: Date | undefined
  /** In which the time was chosen. */
  zone: string
}

export function Summary({ campaign, recipients, at, zone }: SummaryProps) {
  const { fromName, from, replyTo, subject, timing, abTest } = campaign
  const words = t.campaigns.summary
  const nameOf = useAudienceName()
  return (
    <dl className="grid gap-3">
      <Fact name={words.to}>{words.audience(nameOf(campaign), recipients)}</Fact>
      <Fact name={words.from}>{fromName ? `${fromName} <${from}>` : from}</Fact>
      {replyTo && <Fact name={t.writing.replyTo}>{replyTo}</Fact>}
      <Fact name={words.subject}>{subject}</Fact>
      <Fact name={words.when}>
        {at ? formatExact(at, zone) : words.now}
        {at && zone !== ownZone && <span className="block">{t.campaigns.hereThatIs(formatExact(at))}</span>}
      </Fact>
      {timing && <Fact name={words.timing}>{timingWords(timing)}</Fact>}
      {abTest && (
        <Fact name={t.campaigns.abTest.title}>
          {abTestWords(abTest, recipients)}
          {abTest.variants.map((variant, index) => (
            <span key={variantNames[index + 1]} className="block">
              {t.campaigns.abTest.named(variantNames[index + 1]!, ownWords(variant))}
            </span>
          ))}
        </Fact>
      )}
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

function abTestWords({ variants, share, afterHours, metric, otherwise }: AbTest, recipients: number): string {
  const words = t.campaigns.summary
  const tested = Math.max(1, Math.round((recipients * share) / 100))
  const first = words.tested(variants.length + 1, share, tested)
  return `${first} ${words.rest(afterHours, t.campaigns.abTest.metrics[metric], otherwise === 'A')}`
}
