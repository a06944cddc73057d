// All forms: where people subscribe themselves, and how many of them confirm it.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ClipboardList } from 'lucide-react'
import { answer, api } from '../../api/client'
import { ForWriters } from '../../app/rights'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Fact } from '../../ui/fact'
import { TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { FormDialogButton } from '../../ui/form-dialog'
import { formatNumber, formatPercent } from '../../ui/format'
import { NoRows } from '../../ui/list-page'
import { Card, Page } from '../../ui/page'
import { RowList } from '../../ui/row-list'
import { formPages, type SignUpForm } from './data'

export function Forms() {
  const query = useInfiniteQuery(formPages)
  return (
    <Page
      title={t.forms.title}
      description={t.forms.about}
      actions={
        <ForWriters>
          <Create />
        </ForWriters>
      }
    >
      <RowList
        query={query}
        lines={8}
        empty={<NoRows words={t.forms} icon={ClipboardList} />}
        frame={list => <Card>{list}</Card>}
      >
        {form => <Row key={form.id} form={form} />}
      </RowList>
    </Page>
  )
}

/** It is off until somebody turns it on: until then it stores itself. */
function Create() {
  const navigate = useNavigate()
  const create = async ({ name = '' }: Values): Promise<undefined> => {
    const { id } = await answer(api.POST('/signup-forms', { body: { name: name.trim(), enabled: false } }))
    await navigate({ to: '/forms/$id', params: { id } })
  }
  return (
    <FormDialogButton variant="strong" label={t.forms.create} action={t.words.create} onSubmit={create}>
      <TextField
        name="name"
        label={t.words.name}
        hint={t.forms.nameHint}
        required
        maxLength={100}
        autoComplete="off"
      />
    </FormDialogButton>
  )
}

function Row({ form }: { form: SignUpForm }) {
  const { id, name, enabled } = form
  return (
    <li className="relative flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
      <p className="flex min-w-0 flex-1 basis-56 flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link
          to="/forms/$id"
          params={{ id }}
          className="wrap-anywhere font-medium after:absolute after:inset-0 hover:underline"
        >
          {name}
        </Link>
        {!enabled && <Badge tone="warn">{t.words.off}</Badge>}
      </p>
      <FormFigures form={form} />
    </li>
  )
}

/** How often a form was sent, and how many of those who sent it confirmed. */
export function FormFigures({ form: { asked, confirmed } }: { form: SignUpForm }) {
  return (
    <dl className="grid grid-cols-3 gap-x-6 tabular-nums">
      <Fact name={t.forms.asked}>{formatNumber(asked)}</Fact>
      <Fact name={t.forms.confirmed}>{formatNumber(confirmed)}</Fact>
      <Fact name={t.forms.share}>{asked === 0 ? '–' : formatPercent(confirmed / asked)}</Fact>
    </dl>
  )
}
