// The A/B test of a draft: what each variant has of its own, and how the best one is found. A single line until somebody wants it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { SelectField, TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { type CampaignRow, templateNamesQuery } from './data'
import { OnRequest } from './on-request'

export type AbTest = NonNullable<CampaignRow['abTest']>
type Variant = AbTest['variants'][number]

interface AbTestProps {
  campaign: CampaignRow
  onSave: (abTest: AbTest | null) => Promise<void>
}

export const variantNames = ['A', 'B', 'C', 'D', 'E'] as const

const empty: Variant = { subject: null, fromName: null, body: null }

export function AbTestFields({ campaign, onSave }: AbTestProps) {
  const { abTest } = campaign
  // Numbered, so that removing one keeps what was typed into the others.
  const [variants, setVariants] = useState(() =>
    [...(abTest?.variants ?? [empty])].map((is, n) => ({ is, n })),
  )
  const words = t.campaigns.abTest
  return (
    <OnRequest label={words.use} isKept={!!abTest} onGiveUp={() => void onSave(null)}>
      <Form
        onSubmit={async values => {
          const given = variants.map(({ is, n }, index) => variantOf(is, n, index, values))
          await onSave({ ...termsOf(values), variants: await Promise.all(given) })
        }}
      >
        <p className="text-quiet">{words.hint}</p>
        {variants.map(({ is, n }, index) => (
          <VariantFields
            key={n}
            variant={is}
            index={index}
            contentName={contentName(n)}
            campaign={campaign}
            onRemove={
              variants.length > 1 ? () => setVariants(variants.filter(each => each.n !== n)) : undefined
            }
          />
        ))}
        {variants.length < variantNames.length - 1 && (
          <Button onClick={() => setVariants([...variants, { is: empty, n: (variants.at(-1)?.n ?? 0) + 1 }])}>
            {words.add}
          </Button>
        )}
        <Terms abTest={abTest ?? undefined} />
        <SubmitButton look="plain">{words.save}</SubmitButton>
      </Form>
    </OnRequest>
  )
}

interface VariantProps {
  variant: Variant
  index: number
  contentName: string
  campaign: CampaignRow
  onRemove: (() => void) | undefined
}

function VariantFields({ variant, index, contentName, campaign, onRemove }: VariantProps) {
  const words = t.campaigns.abTest
  const templates = useQuery(templateNamesQuery).data ?? []
  const name = variantNames[index + 1]!
  return (
    <fieldset className="space-y-3 rounded-lg border border-line p-3">
      <legend className="px-1 font-medium">{words.variant(name)}</legend>
      <TextField
        name={fieldName(index, 'subject')}
        label={words.subject}
        maxLength={998}
        placeholder={campaign.subject}
        defaultValue={variant.subject ?? ''}
      />
      <TextField
        name={fieldName(index, 'fromName')}
        label={words.fromName}
        maxLength={100}
        placeholder={campaign.fromName ?? ''}
        defaultValue={variant.fromName ?? ''}
      />
      <SelectField name={contentName} label={words.content} defaultValue={variant.body ? own : ''}>
        <option value="">{words.asA}</option>
        {variant.body && <option value={own}>{words.own}</option>}
        {templates.map(template => (
          <option key={template.id} value={template.id}>
            {words.ofTemplate(template.name)}
          </option>
        ))}
      </SelectField>
      {onRemove && <Button onClick={onRemove}>{words.remove(name)}</Button>}
    </fieldset>
  )
}

const own = 'own'
const contentName = (n: number): string => `content.${n}`
const fieldName = (index: number, member: string): string => `abTest.variants.${index}.${member}`

function Terms({ abTest }: { abTest: AbTest | undefined }) {
  const words = t.campaigns.abTest
  return (
    <div className="grid items-end gap-4 sm:grid-cols-2">
      <TextField
        {...{ name: 'abTest.share', type: 'number', min: 1, max: 100, required: true }}
        label={words.share}
        defaultValue={abTest?.share ?? 20}
      />
      <TextField
        {...{ name: 'abTest.afterHours', type: 'number', min: 1, max: 168, required: true }}
        label={words.afterHours}
        defaultValue={abTest?.afterHours ?? 4}
      />
      <SelectField name="metric" label={words.metric} defaultValue={abTest?.metric ?? 'CLICKS'}>
        <option value="CLICKS">{words.metrics.CLICKS}</option>
        <option value="OPENS">{words.metrics.OPENS}</option>
      </SelectField>
      <TextField
        {...{ name: 'abTest.confidence', type: 'number', min: 50, max: 99.9, step: 0.1, required: true }}
        label={words.confidence}
        defaultValue={abTest?.confidence ?? 95}
      />
      <div className="sm:col-span-2">
        <SelectField name="otherwise" label={words.otherwise} defaultValue={abTest?.otherwise ?? 'A'}>
          <option value="A">{words.fallbacks.A}</option>
          <option value="WAIT">{words.fallbacks.WAIT}</option>
        </SelectField>
      </div>
    </div>
  )
}

function termsOf(values: Values): Omit<AbTest, 'variants'> {
  return {
    share: Number(values['abTest.share']),
    afterHours: Number(values['abTest.afterHours']),
    confidence: Number(values['abTest.confidence']),
    metric: values['metric'] === 'OPENS' ? 'OPENS' : 'CLICKS',
    otherwise: values['otherwise'] === 'WAIT' ? 'WAIT' : 'A',
  }
}

/** A template that was chosen is copied, as it is in a campaign. */
async function variantOf(before: Variant, n: number, index: number, values: Values): Promise<Variant> {
  const subject = values[fieldName(index, 'subject')] || null
  const fromName = values[fieldName(index, 'fromName')] || null
  const content = values[contentName(n)]
  if (!content) return { ...empty, subject, fromName }
  if (content === own) return { ...before, subject, fromName }
  const template = await answer(api.GET('/templates/{id}', { params: { path: { id: content } } }))
  return { subject, fromName, body: template!.body, editor: template!.editor }
}
