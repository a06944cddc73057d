// How often a form was sent, and how many of those who sent it confirmed.
import { t } from '../../texts'
import { Fact } from '../../ui/fact'
import { formatNumber, formatPercent } from '../../ui/format'
import type { SignUpForm } from './data'

export function FormFigures({ form: { asked, confirmed } }: { form: SignUpForm }) {
  return (
    <dl className="grid grid-cols-3 gap-x-6 tabular-nums">
      <Fact name={t.forms.asked}>{formatNumber(asked)}</Fact>
      <Fact name={t.forms.confirmed}>{formatNumber(confirmed)}</Fact>
      <Fact name={t.forms.share}>{asked === 0 ? '–' : formatPercent(confirmed / asked)}</Fact>
    </dl>
  )
}
