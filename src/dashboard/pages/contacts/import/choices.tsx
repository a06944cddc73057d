// What an import does with people, beside its columns: whether and where they agreed, topics and a segment, and contacts that are there already.
import type { ReactNode } from 'react'
import type { Topic } from '../../../api/topics'
import { t } from '../../../texts'
import { Button } from '../../../ui/button'
import { CheckRow, SelectField, TextField } from '../../../ui/field'
import { formatDate } from '../../../ui/format'
import { nameFault, type Plan } from './plan'

interface ChoicesProps {
  rows: number
  /** Of the file. */
  name: string
  plan: Plan
  topics: readonly Topic[]
  busy: boolean
  onChange: (part: Partial<Plan>) => void
  onStart: () => void
}

export function Choices({ rows, name, plan, topics, busy, onChange, onStart }: ChoicesProps) {
  const { columns, consent } = plan
  const isMapped = columns.some(({ target }) => target === 'email')
  const isFaulty = columns.some((_, index) => nameFault(columns, index))
  return (
    <div className="divide-y divide-line rounded-lg border border-line bg-sheet">
      <Consent plan={plan} onChange={onChange} />
      <Part title={t.contacts.addTo}>
        {topics.map(({ id, name: topic }) => (
          <CheckRow
            key={id}
            name={`topic-${id}`}
            label={topic}
            checked={plan.topics.includes(id)}
            onChange={event =>
              onChange({
                topics: event.target.checked ? [...plan.topics, id] : plan.topics.filter(each => each !== id),
              })
            }
          />
        ))}
        <CheckRow
          name="segment"
          label={t.contacts.newListOfImport}
          checked={plan.segment !== ''}
          onChange={event =>
            onChange({
              segment: event.target.checked
                ? t.contacts.listOfImport(name.slice(0, 70), formatDate(new Date()))
                : '',
            })
          }
        />
        {plan.segment !== '' && (
          <TextField
            name="segmentName"
            label={t.contacts.newListName}
            value={plan.segment}
            maxLength={100}
            onChange={event => onChange({ segment: event.target.value })}
          />
        )}
        {plan.topics.length > 0 && <p className="text-quiet">{t.contacts.topicsOfFile}</p>}
      </Part>
      <Part title={t.contacts.whatHappens}>
        <SelectField
          name="existing"
          label={t.contacts.existingContacts}
          value={plan.existing}
          options={(['update', 'fill', 'keep'] as const).map(each => [each, t.contacts.existing[each]])}
          onChange={event => onChange({ existing: event.target.value as Plan['existing'] })}
        />
        <p className="text-quiet">{t.contacts.importConsent}</p>
        <p className="text-quiet">{t.contacts.importStartsNone}</p>
      </Part>
      <div className="space-y-2 px-4 py-4">
        <Button
          variant="strong"
          className="w-full"
          busy={busy}
          disabled={rows === 0 || !isMapped || isFaulty || consent === undefined}
          onClick={onStart}
        >
          {t.contacts.startImport(rows)}
        </Button>
        <p className="text-center text-quiet">
          {consent === undefined ? t.contacts.answerConsent : t.contacts.undoHint}
        </p>
      </div>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-2 px-4 py-4">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Consent({ plan, onChange }: Pick<ChoicesProps, 'plan' | 'onChange'>) {
  const { columns, consent, consentSource, consentDate } = plan
  const hasColumn = columns.some(({ target }) => target === 'subscribed')
  const answers = [...(hasColumn ? (['column'] as const) : []), 'given' as const, 'none' as const]
  return (
    <Part title={t.contacts.consentTitle}>
      <fieldset className="space-y-1">
        <legend className="sr-only">{t.contacts.consentTitle}</legend>
        {answers.map(each => (
          <label
            key={each}
            className="flex min-h-8 items-start gap-2.5 py-1 max-md:min-h-11 max-md:items-center"
          >
            <input
              type="radio"
              name="consent"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={consent === each}
              onChange={() => onChange({ consent: each })}
            />
            <span>
              <span className="block">{t.contacts.consentAnswers[each]}</span>
              <span className="block text-xs text-quiet">{t.contacts.consentHints[each]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {(consent === 'given' || consent === 'column') && (
        <>
          <TextField
            name="consentSource"
            label={t.contacts.consentSource}
            hint={t.contacts.consentSourceHint}
            value={consentSource}
            maxLength={300}
            onChange={event => onChange({ consentSource: event.target.value })}
          />
          <TextField
            name="consentDate"
            type="date"
            label={t.contacts.consentDate}
            optional
            value={consentDate}
            onChange={event => onChange({ consentDate: event.target.value })}
          />
        </>
      )}
    </Part>
  )
}
