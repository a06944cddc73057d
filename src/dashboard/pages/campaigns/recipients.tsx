// Who got it and what they did: to be filtered, saved as a file, or turned into a segment.

import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { ForWriters } from '../../app/rights'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { type Column, DataTable } from '../../ui/data-table'
import { Dialog } from '../../ui/dialog'
import { ExportButton } from '../../ui/export-button'
import { TextField } from '../../ui/field'
import { FilterSelect } from '../../ui/filter-select'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { formatNumber } from '../../ui/format'
import { Card, Empty } from '../../ui/page'
import { answerOf, sayReason } from '../../ui/reason'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { variantNames } from './ab-test-draft'
import {
  type CampaignRow,
  type Recipient,
  type RecipientFilter,
  reactions,
  recipientsQuery,
  type VariantName,
} from './data'

const route = getRouteApi('/inside/campaigns/$id')

export function Recipients({ campaign }: { campaign: CampaignRow }) {
  const { id, name, abTest } = campaign
  const search = route.useSearch()
  const names = abTest ? variantNames.slice(0, abTest.variants.length + 1) : []
  const filter: RecipientFilter = {
    reaction: reactions.find(each => each === search.reaction),
    link: search.link,
    variant: names.find(each => each === search.variant),
  }
  const query = useInfiniteQuery(recipientsQuery(campaign, filter))
  const total = query.data?.pages[0]?.total ?? 0
  return (
    <section id="recipients" className="scroll-mt-4">
      <Card
        title={t.campaigns.recipients}
        description={formatNumber(total)}
        actions={
          <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:[&>*]:flex-1 sm:flex-nowrap">
            <FilterChoice id={id} filter={filter} names={names} />
            <ExportButton
              load={() =>
                api.GET('/campaigns/{id}/recipients/export', {
                  params: { path: { id }, query: filter },
                  parseAs: 'blob',
                })
              }
            />
            <ForWriters>
              <MakeSegment id={id} filter={filter} name={name} total={total} />
            </ForWriters>
          </div>
        }
      >
        <DataTable
          label={t.campaigns.recipients}
          query={query}
          columns={columns(!!abTest)}
          rowKey={recipient => recipient.emailId}
          empty={<Empty title={t.campaigns.nobodyFits} />}
        />
      </Card>
    </section>
  )
}

function columns(hasVariants: boolean): Column<Recipient>[] {
  return [
    {
      id: 'email',
      header: t.words.address,
      cell: ({ email, name, emailId }) => (
        <Link to="/messages/$id" params={{ id: emailId }} className="group block py-2">
          <span className="block truncate font-medium group-hover:underline">{name ?? email}</span>
          {name && <span className="block truncate text-quiet">{email}</span>}
        </Link>
      ),
      grows: true,
    },
    {
      id: 'status',
      header: t.words.status,
      cell: ({ status, ...why }) => (
        <span title={[sayReason(why), answerOf(why)].filter(Boolean).join(' ') || undefined}>
          <Badge tone={status === 'FAILED' || status === 'BOUNCED' ? 'bad' : 'neutral'}>
            {t.messages.statuses[status] ?? status}
          </Badge>
        </span>
      ),
    },
    ...(hasVariants
      ? [
          {
            id: 'variant',
            header: t.campaigns.abTest.column,
            cell: ({ variant }: Recipient) => variant ?? '–',
            wideOnly: true,
          },
        ]
      : []),
    ...(['openedAt', 'clickedAt'] as const).map(
      (member): Column<Recipient> => ({
        id: member,
        header: t.campaigns.tiles[member === 'openedAt' ? 'opened' : 'clicked'],
        cell: recipient => (recipient[member] ? <Time at={recipient[member]} quiet /> : '–'),
        align: 'right',
        wideOnly: true,
      }),
    ),
  ]
}

interface FilterChoiceProps {
  id: string
  filter: RecipientFilter
  /** Of the variants; none without an A/B test. */
  names: readonly VariantName[]
}

function FilterChoice({ id, filter: { reaction, link, variant }, names }: FilterChoiceProps) {
  const navigate = useNavigate()
  const change = (search: RecipientFilter): void =>
    void navigate({ to: '/campaigns/$id', params: { id }, search, replace: true, resetScroll: false })
  return (
    <>
      {names.length > 0 && (
        <FilterSelect
          className="max-sm:basis-full! sm:max-w-44"
          label={t.campaigns.abTest.anyVariant}
          value={variant}
          options={names.map(each => [each, t.campaigns.abTest.variant(each)])}
          onChange={value => change({ reaction, link, variant: names.find(each => each === value) })}
        />
      )}
      {link ? (
        <Button className="max-w-64" onClick={() => change({ variant })}>
          <span className="truncate">{link}</span> <X aria-label={t.campaigns.noFilter} />
        </Button>
      ) : (
        <FilterSelect
          className="max-sm:basis-full! sm:max-w-44"
          label={t.campaigns.anyReaction}
          value={reaction}
          options={reactions.map(each => [each, t.campaigns.reactions[each]])}
          onChange={value => change({ variant, reaction: reactions.find(each => each === value) })}
        />
      )}
    </>
  )
}

interface MakeSegmentProps {
  id: string
  filter: RecipientFilter
  name: string
  total: number
}

function MakeSegment({ id, filter, name, total }: MakeSegmentProps) {
  const [open, setOpen] = useState(false)
  const make = async ({ name: chosen = '' }: Values): Promise<void> => {
    const body = { name: chosen, ...filter }
    const segment = await answer(
      api.POST('/campaigns/{id}/recipients/segment', { params: { path: { id } }, body }),
    )
    setOpen(false)
    void refresh('segments')
    toast(t.campaigns.segmentMade(segment!.name, segment!.memberCount))
  }
  const { reaction, link, variant } = filter
  const what = reaction ? t.campaigns.reactions[reaction] : (link ?? t.campaigns.recipients)
  const suggested = `${name}${variant ? ` (${variant})` : ''}: ${what}`
  return (
    <>
      <Button disabled={total === 0} onClick={() => setOpen(true)}>
        {t.campaigns.makeSegment}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t.campaigns.makeSegment}
        description={t.campaigns.makeSegmentHint(total)}
      >
        <Form onSubmit={make}>
          <TextField
            name="name"
            label={t.words.name}
            defaultValue={suggested.slice(0, 100)}
            required
            maxLength={100}
          />
          <DialogButtons onCancel={() => setOpen(false)}>{t.words.create}</DialogButtons>
        </Form>
      </Dialog>
    </>
  )
}
