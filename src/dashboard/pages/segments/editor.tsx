// Creating and changing a segment: its name, and for a segment by condition the builder with what it matches at the moment.

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { FilterBuilder } from '../../editor/filter/builder'
import { FilterResult } from '../../editor/filter/result'
import { type FilterTree, isComplete, readTree } from '../../editor/filter/tree'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Button, ButtonLink } from '../../ui/button'
import { changedParts } from '../../ui/changed-parts'
import { Actions } from '../../ui/dialog'
import { fieldsOf, useDraft } from '../../ui/draft'
import { CheckField, TextField } from '../../ui/field'
import { Form, SubmitButton } from '../../ui/form'
import { Loaded } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { toast } from '../../ui/toast'
import { type Segment, segmentQuery, treeOf } from './data'

const created = getRouteApi('/inside/segments/new')
const changed = getRouteApi('/inside/segments/$id/edit')

interface Draft {
  name: string
  description: string
  trackMembership: boolean
  tree?: FilterTree
  /** The state of the segment from which the draft began. */
  of?: string
}

export function NewSegment() {
  const { type, filter } = created.useSearch()
  const tree = filter === undefined ? undefined : readTree(filter)
  const initial: Draft = { name: '', description: '', trackMembership: false, tree }
  return <Editor key={filter} type={type === 'static' ? 'STATIC' : 'DYNAMIC'} initial={initial} />
}

export function EditSegment() {
  const { id } = changed.useParams()
  const query = useQuery({ ...segmentQuery(id), refetchOnWindowFocus: false })
  return (
    <Loaded page query={query}>
      {segment => <Editor type={segment.type} initial={draftOf(segment)} segment={segment} />}
    </Loaded>
  )
}

function draftOf(segment: Segment): Draft {
  const { name, description, trackMembership, updatedAt } = segment
  return { name, description: description ?? '', trackMembership, tree: treeOf(segment), of: updatedAt }
}

interface EditorProps {
  type: Segment['type']
  initial: Draft
  /** None for a new one. */
  segment?: Segment
}

function Editor({ type, initial, segment }: EditorProps) {
  const { draft, change, save, discard, isDrafted } = useEditor({ type, initial, segment })
  const isDynamic = type === 'DYNAMIC'
  const title = segment ? t.segments.edit(segment.name) : t.segments.newTitle[type]
  return (
    <Page title={title} above={<BackLink to="/segments">{t.segments.title}</BackLink>}>
      <Form onSubmit={save} about={draft} className="space-y-6">
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="min-w-0 space-y-6">
            <Card>
              <Names draft={draft} change={change} />
            </Card>
            {isDynamic && (
              <Card title={t.segments.condition}>
                <FilterBuilder value={draft.tree} onChange={tree => change({ tree })} without={segment?.id} />
              </Card>
            )}
          </div>
          {isDynamic && (
            <Card title={t.segments.result} className="lg:sticky lg:top-6">
              <FilterResult value={draft.tree} />
            </Card>
          )}
        </div>
        <Actions>
          {isDrafted && <Button onClick={discard}>{t.segments.discard}</Button>}
          <ButtonLink to="/segments">{t.words.cancel}</ButtonLink>
          {isDynamic && !isComplete(draft.tree) ? (
            <Button variant="strong" disabled>
              {t.words.save}
            </Button>
          ) : (
            <SubmitButton>{t.words.save}</SubmitButton>
          )}
        </Actions>
      </Form>
    </Page>
  )
}

function Names({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const { text, check } = fieldsOf(draft, change)
  return (
    <div className="space-y-4">
      <TextField {...text('name')} label={t.words.name} required maxLength={100} autoComplete="off" />
      <TextField
        {...text('description')}
        label={t.words.description}
        optional
        maxLength={500}
        autoComplete="off"
      />
      <CheckField {...check('trackMembership')} label={t.segments.track} hint={t.segments.trackHint} />
    </div>
  )
}

/** The draft survives a reload; one from an older state of the segment is not restored. */
function useEditor({ type, initial, segment }: EditorProps) {
  const [kept, keep, clear] = useDraft<Draft>(`segment.${segment?.id ?? type}`, initial)
  const navigate = useNavigate()
  const draft = kept.of === initial.of ? kept : initial
  const save = async (): Promise<void> => {
    const saved = await store(draft, { type, initial, segment })
    clear()
    toast(t.words.saved)
    await navigate({ to: '/segments/$id', params: { id: saved.id } })
  }
  return {
    draft,
    change: (part: Partial<Draft>) => keep({ ...draft, ...part }),
    save,
    discard: () => {
      keep(initial)
      clear()
    },
    isDrafted: JSON.stringify(draft) !== JSON.stringify(initial),
  }
}

async function store(draft: Draft, { initial, type, segment }: EditorProps): Promise<Segment> {
  const given = bodyOf(draft, type)
  if (!segment) return (await answer(api.POST('/segments', { body: { ...given, type } })))!
  const body = changedParts(given, bodyOf(initial, type))
  return (await answer(api.PATCH('/segments/{id}', { params: { path: { id: segment.id } }, body })))!
}

function bodyOf({ name, description, trackMembership, tree }: Draft, type: Segment['type']) {
  const condition = type === 'DYNAMIC' && isComplete(tree) ? tree : undefined
  return { name, description: description || null, trackMembership, condition }
}
