// What the project asks of consent: whether the public key may undo an opt-out, whether hashes of clients are kept, and
// whether people are offered their data.
import { isAdmin, type Project } from '../../app/session'
import { t } from '../../texts'
import { CheckField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { Card } from '../../ui/page'
import { useSettings } from './save'

export function ConsentRules({ project }: { project: Project }) {
  const words = t.settings.consent
  const disabled = !isAdmin(project)
  const { shown, taken, store } = useSettings(project)
  const save = ({ keepsOptOuts, keepsClients, offersData }: Values): Promise<void> =>
    store({
      keepsOptOuts: keepsOptOuts !== undefined,
      keepsClients: keepsClients !== undefined,
      offersData: offersData !== undefined,
    })
  return (
    <Card title={words.title}>
      <Form key={taken} onSubmit={save}>
        <CheckField
          name="keepsOptOuts"
          label={words.keepsOptOuts}
          hint={words.keepsOptOutsHint}
          defaultChecked={shown.keepsOptOuts}
          disabled={disabled}
        />
        <CheckField
          name="keepsClients"
          label={words.keepsClients}
          hint={words.keepsClientsHint}
          defaultChecked={shown.keepsClients}
          disabled={disabled}
        />
        <CheckField
          name="offersData"
          label={words.offersData}
          hint={words.offersDataHint}
          defaultChecked={shown.offersData}
          disabled={disabled}
        />
        {!disabled && <SubmitButton look="plain">{t.words.save}</SubmitButton>}
      </Form>
    </Card>
  )
}
