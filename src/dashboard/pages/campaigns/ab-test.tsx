// The A/B test of a draft: what each variant has of its own, and how the best one is found. A single line until somebody wants it.
import { useQuery } from '@tanstack/react-query'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { SelectField, TextField } from '../../ui/field'
import { useFault } from '../../ui/form'
import { typed } from '../../ui/typed'
import {
  type AbTestDraft,
  ownContent,
  smallTestFault,
  testGroup,
  type VariantDraft,
  variantField,
  variantNames,
  withVariant,
} from './ab-test-draft'
import { templateNamesQuery } from './data'
import { OnRequest } from './on-request'

interface AbTestProps {
  value: AbTestDraft
  onChange: (test: AbTestDraft) => void
  /** What a variant has where it says nothing of its own. */
  message: { subject: string; fromName: string }
  /** How many get the campaign, once that is known. */
  recipients: number | undefined
}

export function AbTestFields({ value, onChange, message, recipients }: AbTestProps) {
  const words = t.campaigns.abTest
  const { variants } = value
  const setVariants = (next: VariantDraft[]): void => onChange({ ...value, variants: next })
  return (
    <OnRequest label={words.use} isOn={value.isOn} onChange={isOn => onChange({ ...value, isOn })}>
      <p className="text-quiet">{words.hint}</p>
      {variants.map((variant, index) => (
        <VariantFields
          key={variant.key}
          variant={variant}
          index={index}
          message={message}
          onChange={next => setVariants(variants.map(each => (each.key === variant.key ? next : each)))}
          onRemove={
            variants.length > 1
              ? () => setVariants(variants.filter(each => each.key !== variant.key))
              : undefined
          }
        />
      ))}
      {variants.length < variantNames.length - 1 && (
        <Button onClick={() => onChange(withVariant(value))}>{words.add}</Button>
      )}
      <Terms value={value} onChange={onChange} recipients={recipients} />
    </OnRequest>
  )
}

interface VariantProps {
  variant: VariantDraft
  index: number
  message: AbTestProps['message']
  onChange: (variant: VariantDraft) => void
  onRemove: (() => void) | undefined
}

function VariantFields({ variant, index, message, onChange, onRemove }: VariantProps) {
  const words = t.campaigns.abTest
  const templates = useQuery(templateNamesQuery).data ?? []
  const name = variantNames[index + 1]!
  const field = (member: 'subject' | 'fromName') => ({
    name: variantField(index, member),
    label: words[member],
    placeholder: message[member],
    value: variant[member],
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...variant, [member]: event.target.value }),
  })
  return (
    <fieldset className="space-y-3 rounded-lg border border-line p-3">
      <legend className="px-1 font-medium">{words.variant(name)}</legend>
      <TextField {...field('subject')} maxLength={998} />
      <TextField {...field('fromName')} maxLength={100} />
      <SelectField
        name={variantField(index, 'body')}
        label={words.content}
        value={variant.content}
        options={templates.map(template => [template.id, words.ofTemplate(template.name)])}
        onChange={event => onChange({ ...variant, content: event.target.value })}
      >
        <option value="">{words.asA}</option>
        {variant.own.body && <option value={ownContent}>{words.own}</option>}
      </SelectField>
      {onRemove && <Button onClick={onRemove}>{words.remove(name)}</Button>}
    </fieldset>
  )
}

function Terms({ value, onChange, recipients = 0 }: Omit<AbTestProps, 'message'>) {
  const words = t.campaigns.abTest
  const number = (member: 'share' | 'afterHours' | 'confidence') => ({
    name: `abTest.${member}`,
    label: words[member],
    type: 'number',
    ...typed(value[member], text => onChange({ ...value, [member]: text })),
  })
  const { tested, isExact } = testGroup(Number(value.share), value.variants.length + 1, recipients)
  const isRefused = useFault('abTest.share') !== undefined
  const hint = smallTestFault(value, recipients) ?? words.testGroup(tested, recipients, isExact)
  return (
    <div className="grid items-end gap-4 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <TextField
          {...number('share')}
          min={1}
          max={100}
          hint={recipients > 0 && !isRefused ? hint : undefined}
        />
      </div>
      <TextField {...number('afterHours')} min={1} max={168} />
      <SelectField
        name="abTest.metric"
        label={words.metric}
        value={value.metric}
        options={(['CLICKS', 'OPENS'] as const).map(metric => [metric, words.metrics[metric]])}
        onChange={event => onChange({ ...value, metric: event.target.value as AbTestDraft['metric'] })}
      />
      <TextField {...number('confidence')} min={50} max={99.9} step={0.1} />
      <div className="sm:col-span-2">
        <SelectField
          name="abTest.otherwise"
          label={words.otherwise}
          value={value.otherwise}
          options={(['A', 'WAIT'] as const).map(rule => [rule, words.fallbacks[rule]])}
          onChange={event =>
            onChange({ ...value, otherwise: event.target.value as AbTestDraft['otherwise'] })
          }
        />
      </div>
    </div>
  )
}
