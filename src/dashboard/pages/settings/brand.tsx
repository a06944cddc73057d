// The brand of the project: set once, and taken by everything that is made from then on. One Save for the page, in view.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { read } from '../../api/queries'
import { renew } from '../../api/renew'
import { isAdmin, useProject } from '../../app/session'
import { brandQuery } from '../../editor/data'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { Form, SubmitButton } from '../../ui/form'
import { Loaded } from '../../ui/loading'
import { Page } from '../../ui/page'
import { toast } from '../../ui/toast'
import { BrandFields } from './brand-fields'
import { BrandPreview } from './brand-preview'
import { AdminsOnly } from './frame'
import { ChangedMeanwhile, isSame, saveOverNewest } from './save'

export function BrandPage() {
  const query = useQuery(brandQuery)
  return (
    <Page title={t.brand.title} description={t.brand.hint}>
      <AdminsOnly />
      <Loaded query={query}>{brand => <BrandForm stored={brand} />}</Loaded>
    </Page>
  )
}

type Brand = Schemas['Brand']

export type BrandDraft = Omit<Brand, 'updatedAt'>

const draftOf = ({ updatedAt: _, ...brand }: Brand): BrandDraft => brand

const namesOf = (members: ReadonlyArray<keyof BrandDraft>): string =>
  members.map(each => t.brand.names[each]).join(', ')

function BrandForm({ stored }: { stored: Brand }) {
  const project = useProject()
  const queries = useQueryClient()
  const mayChange = isAdmin(project)
  const [base, setBase] = useState(() => draftOf(stored))
  const [draft, setDraft] = useState(base)
  const changed = (Object.keys(draft) as Array<keyof BrandDraft>).filter(
    each => !isSame(draft[each], base[each]),
  )
  const isDirty = changed.length > 0
  const leaving = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  const path = { id: project.id }
  const save = async (): Promise<void> => {
    try {
      const newest = await saveOverNewest<Brand>({
        base: { ...base, updatedAt: '' },
        body: Object.fromEntries(changed.map(each => [each, draft[each]])),
        read: () => read('/projects/{id}/brand', { path }),
        put: async (changes, { updatedAt }) =>
          await answer(
            api.PATCH('/projects/{id}/brand', {
              params: { path },
              body: { ...changes, expectedUpdatedAt: updatedAt },
            }),
          ),
      })
      await renew(queries, brandQuery.queryKey, newest)
      // Emails look different now.
      queries.removeQueries({ queryKey: ['writing', 'preview'] })
      setBase(draftOf(newest))
      setDraft(draftOf(newest))
      toast(t.words.saved)
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error
      const theirs = error.members as Array<keyof BrandDraft>
      const newest = error.newest as Brand
      setBase({ ...base, ...Object.fromEntries(theirs.map(each => [each, newest[each]])) })
      throw new Error(t.settings.changedMeanwhile(namesOf(theirs)))
    }
  }
  return (
    <>
      <Form about={draft} onSubmit={save} className="space-y-6">
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
          <fieldset disabled={!mayChange} className="min-w-0">
            <BrandFields value={draft} onChange={setDraft} />
          </fieldset>
          <BrandPreview brand={draft} projectName={project.name} />
        </div>
        {mayChange && (
          <div className="sticky bottom-0 z-10 -mx-4 -mb-6 flex min-h-16 items-center gap-2 border-t border-line bg-ground px-4 py-3 md:-mx-2 md:-mb-8 md:px-2">
            <p role="status" className="min-w-0 flex-1 text-quiet">
              {isDirty ? t.brand.unsaved(changed.length, namesOf(changed)) : ''}
            </p>
            {isDirty && <Button onClick={() => setDraft(base)}>{t.brand.drop}</Button>}
            <SubmitButton disabled={!isDirty}>{t.brand.save}</SubmitButton>
          </div>
        )}
      </Form>
      <Confirm
        open={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        title={t.brand.discard}
        consequence={t.brand.discardHint(namesOf(changed))}
        action={t.brand.drop}
        onConfirm={async () => leaving.proceed?.()}
      />
    </>
  )
}
